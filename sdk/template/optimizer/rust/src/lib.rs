//! The optimizer `example`: gradient descent with momentum.
mod sluice;

use sluice::*;

struct ExampleOptimizer {
    momentum: f32,
}

impl Optimizer for ExampleOptimizer {
    fn new(_: Host, options: Options) -> Result<Self> {
        Ok(ExampleOptimizer {
            momentum: options.get("momentum")?.number()? as f32,
        })
    }

    fn states(&self) -> &'static [&'static str] {
        &["direction"]
    }

    fn update(&self, scalars: &sluice_step_scalars, range: Range) {
        let (scale, rate) = (scalars.gradient_scale as f32, scalars.rate as f32);
        let [directions, ..] = range.states;
        for ((parameter, gradient), direction) in range
            .parameters
            .iter_mut()
            .zip(range.gradients)
            .zip(directions)
        {
            *direction = self.momentum * *direction + scale * gradient;
            *parameter -= rate * *direction;
        }
    }
}

export! { "com.acme.optimizer.example" => sluice::optimizer::<ExampleOptimizer> }
