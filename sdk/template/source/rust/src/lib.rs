//! The data source `example`: grey pictures of vertical (class 0) or horizontal (class 1) stripes.
mod sluice;

use sluice::*;

struct ExampleSource {
    count: u64,
    size: i64,
    noise: f64,
}

const STREAM: u64 = 0x6578616d; // of the random numbers: any number that no other source uses

impl Source for ExampleSource {
    type Context = (); // scratch memory of one worker would go here

    /// A source of files would find them here, and check all that it can without reading samples.
    fn new(_: Host, options: Options) -> Result<Self> {
        Ok(ExampleSource {
            count: options.get("count")?.integer()? as u64,
            size: options.get("size")?.integer()?,
            noise: options.get("noise")?.number()?,
        })
    }

    fn describe(&self, sink: &FieldSink) -> Result<()> {
        sink.field(
            "image",
            SLUICE_FIELD_IMAGE,
            sluice_tensor_spec::new(UINT8, &[self.size, self.size, 1]),
        );
        sink.field(
            "label",
            SLUICE_FIELD_CLASS,
            sluice_tensor_spec::new(INT64, &[]),
        );
        sink.length(self.count);
        Ok(())
    }

    fn context(&self) -> Result<()> {
        Ok(())
    }

    /// Returns the same bytes on any thread and in any order: each random number depends on the seed and the index.
    fn read(&self, _: &mut (), index: u64, seed: u64, sink: &SampleSink) -> Result<()> {
        if index >= self.count {
            fail!(SLUICE_INVALID, "sample {} of {}", index, self.count);
        }
        let is_level = index % 2 == 1;
        sink.allocate::<i64>(1, &[])?[0] = is_level.into();
        let mut draws = Draws::new(sluice_random_key {
            seed,
            stream: STREAM,
            counter: index,
        });
        let image = sink.allocate::<u8>(0, &[self.size, self.size, 1])?;
        for (place, pixel) in image.iter_mut().enumerate() {
            let (y, x) = (place / self.size as usize, place % self.size as usize);
            let stripe = if (if is_level { y } else { x }) / 2 % 2 == 0 {
                0.0
            } else {
                255.0
            };
            *pixel = ((1.0 - self.noise) * stripe + self.noise * 255.0 * f64::from(draws.uniform()))
                as u8;
        }
        Ok(())
    }
}

export! { "com.acme.source.example" => sluice::source::<ExampleSource> }
