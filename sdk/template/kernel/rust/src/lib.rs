//! Kernels by the name of `example`, for an existing layer type: relu in float32.
mod sluice;

use sluice::*;

struct ExampleKernels;

impl Kernels for ExampleKernels {
    type Kernel = Relu;

    fn new(_: Host, _: Options, _: sluice_device_ref) -> Result<Self> {
        Ok(ExampleKernels)
    }

    fn supports(&self, chain: &[Node]) -> Result<()> {
        if chain.len() != 1 || chain[0].layer_type() != "relu" {
            fail!(SLUICE_UNSUPPORTED, "only relu by itself");
        }
        if chain[0].inputs()[0].dtype != FLOAT32 || chain[0].compute() != FLOAT32 {
            fail!(SLUICE_UNSUPPORTED, "only float32");
        }
        Ok(())
    }

    fn plan(&mut self, chain: &[Node], sink: &KernelSink) -> Result<Relu> {
        sink.backward_reads_output(0); // otherwise it may be overwritten before
        Ok(Relu {
            adds: chain[0].adds_gradient(0),
        })
    }
}

const GRAIN: usize = 16384; // elements that are worth a thread of their own

struct Relu {
    adds: bool, // the gradient is added to the memory's contents
}

impl Kernel for Relu {
    fn forward(&mut self, launch: &Launch) -> Result<()> {
        let x = launch.input::<f32>(0);
        launch
            .threads()
            .for_pieces(launch.output::<f32>(0), GRAIN, |first, piece| {
                for (y, x) in piece.iter_mut().zip(&x[first..]) {
                    *y = if *x < 0.0 { 0.0 } else { *x }; // NaN stays NaN
                }
            })
    }

    fn backward(&mut self, launch: &Launch) -> Result<()> {
        let dx = match launch.input_gradient::<f32>(0) {
            Some(dx) => dx,
            None => return Ok(()), // the gradient is not wanted
        };
        let (y, dy) = (&*launch.output::<f32>(0), launch.output_gradient::<f32>(0));
        launch.threads().for_pieces(dx, GRAIN, |first, piece| {
            for (dx, (y, dy)) in piece.iter_mut().zip(y[first..].iter().zip(&dy[first..])) {
                let before = if self.adds { *dx } else { 0.0 };
                *dx = before + if *y > 0.0 { *dy } else { 0.0 };
            }
        })
    }
}

export! { "com.acme.kernel.example" => sluice::kernels::<ExampleKernels> }
