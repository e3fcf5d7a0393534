//! The layer type `example`, y = x * sigmoid(steepness * x), and its kernels for the CPU.
mod sluice;

use sluice::*;

/// The layer type has shapes and options, no arithmetic.
struct ExampleLayer;

impl Layer for ExampleLayer {
    fn new(_: Host, _: Options) -> Result<Self> {
        Ok(ExampleLayer)
    }

    fn traits(&self) -> sluice_layer_traits {
        sluice_layer_traits {
            role: SLUICE_ROLE_LAYER,
            colour: SLUICE_COLOUR_INFER,
            min_inputs: 1,
            max_inputs: 1,
            ..Default::default()
        }
    }

    fn infer(&self, inputs: &[sluice_tensor_spec], sink: &LayerSink) -> Result<()> {
        if inputs.len() != 1 {
            fail!(
                SLUICE_INVALID,
                "example has {} inputs; it takes 1",
                inputs.len()
            );
        }
        if ![SLUICE_CODE_FLOAT, SLUICE_CODE_BFLOAT].contains(&inputs[0].dtype.code) {
            fail!(
                SLUICE_INVALID,
                "example: the input should be of floating-point numbers"
            );
        }
        sink.output(inputs[0]); // same shape and type as the input
        Ok(())
    }
}

struct ExampleKernels;

impl Kernels for ExampleKernels {
    type Kernel = ExampleKernel;

    fn new(_: Host, _: Options, _: sluice_device_ref) -> Result<Self> {
        Ok(ExampleKernels)
    }

    fn supports(&self, chain: &[Node]) -> Result<()> {
        if chain.len() != 1 || chain[0].layer_type() != "example" {
            fail!(SLUICE_UNSUPPORTED, "only example by itself");
        }
        let dtype = chain[0].inputs()[0].dtype;
        if ![FLOAT32, FLOAT64].contains(&dtype) || chain[0].compute() != dtype {
            fail!(SLUICE_UNSUPPORTED, "only float32 and float64");
        }
        Ok(())
    }

    fn plan(&mut self, chain: &[Node], sink: &KernelSink) -> Result<ExampleKernel> {
        sink.backward_reads_input(0); // otherwise it may be overwritten before
        Ok(ExampleKernel {
            steepness: chain[0].options().get("steepness")?.number()?,
            is_wide: chain[0].inputs()[0].dtype == FLOAT64,
            adds: chain[0].adds_gradient(0),
        })
    }
}

const GRAIN: usize = 4096; // elements that are worth a thread of their own

struct ExampleKernel {
    steepness: f64,
    is_wide: bool, // float64: for `sluice check`, which compares it with finite differences
    adds: bool,    // the gradient is added to the memory's contents
}

impl ExampleKernel {
    fn forward_in<T: Element + Into<f64>>(
        &self,
        launch: &Launch,
        narrow: fn(f64) -> T,
    ) -> Result<()> {
        let x = launch.input::<T>(0);
        launch
            .threads()
            .for_pieces(launch.output::<T>(0), GRAIN, |first, piece| {
                for (y, x) in piece.iter_mut().zip(&x[first..]) {
                    let x: f64 = (*x).into();
                    *y = narrow(x / (1.0 + (-self.steepness * x).exp()));
                }
            })
    }

    fn backward_in<T: Element + Into<f64>>(
        &self,
        launch: &Launch,
        narrow: fn(f64) -> T,
    ) -> Result<()> {
        let (x, dy) = (launch.input::<T>(0), launch.output_gradient::<T>(0));
        let dx = match launch.input_gradient::<T>(0) {
            Some(dx) => dx,
            None => return Ok(()), // the gradient is not wanted
        };
        launch.threads().for_pieces(dx, GRAIN, |first, piece| {
            for (dx, (x, dy)) in piece.iter_mut().zip(x[first..].iter().zip(&dy[first..])) {
                let (before, steep_x) = ((*dx).into(), self.steepness * (*x).into());
                let sigmoid = 1.0 / (1.0 + (-steep_x).exp());
                let slope = sigmoid * (1.0 + steep_x * (1.0 - sigmoid));
                *dx = narrow(if self.adds { before } else { 0.0 } + slope * (*dy).into());
            }
        })
    }
}

impl Kernel for ExampleKernel {
    fn forward(&mut self, launch: &Launch) -> Result<()> {
        match self.is_wide {
            true => self.forward_in(launch, |value| value),
            false => self.forward_in(launch, |value| value as f32),
        }
    }

    fn backward(&mut self, launch: &Launch) -> Result<()> {
        match self.is_wide {
            true => self.backward_in(launch, |value| value),
            false => self.backward_in(launch, |value| value as f32),
        }
    }
}

export! {
    "com.acme.layer.example" => sluice::layer::<ExampleLayer>,
    "com.acme.kernel.example" => sluice::kernels::<ExampleKernels>,
}
