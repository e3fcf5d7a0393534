//! The precision policy `example`: one layer type in bfloat16, all others in float32.
mod sluice;

use sluice::*;

struct ExamplePolicy {
    layer_type: String,
}

/// bfloat16 has the range of float32, so the loss is not scaled and traits() keep their default.
impl Precision for ExamplePolicy {
    fn new(_: Host, options: Options) -> Result<Self> {
        Ok(ExamplePolicy {
            layer_type: options.get("type")?.string()?,
        })
    }

    fn choose(&self, query: &Query) -> Result<sluice_precision_choice> {
        let is_narrow = query.layer_type() == self.layer_type;
        let dtype = if is_narrow { BFLOAT16 } else { FLOAT32 };
        Ok(sluice_precision_choice {
            storage: dtype,
            compute: dtype,
            accumulate: FLOAT32,
            colour: if is_narrow {
                SLUICE_COLOUR_ALLOW
            } else {
                query.colour()
            },
            ..Default::default()
        })
    }
}

export! { "com.acme.precision.example" => sluice::precision::<ExamplePolicy> }
