//! The tensors of one call of forward or backward, as slices of the right length.
use super::*;
use std::os::raw::c_void;

/// Indices are those of `sluice_launch`. Memory that is written is lent once in a launch. Asking for a wrong element
/// type, or for memory that was not declared, panics, which fails the call.
pub struct Launch<'a> {
    launch: &'a sluice_launch,
    shapes: &'a kernel::Shapes,
    outputs: tensor::Given,
    states: tensor::Given,
    saved: tensor::Given,
    workspace: tensor::Given,
    input_gradients: tensor::Given,
    parameter_gradients: tensor::Given,
}

impl<'a> Launch<'a> {
    pub(super) fn of(launch: &'a sluice_launch, shapes: &'a kernel::Shapes) -> Launch<'a> {
        Launch {
            launch,
            shapes,
            outputs: Default::default(),
            states: Default::default(),
            saved: Default::default(),
            workspace: Default::default(),
            input_gradients: Default::default(),
            parameter_gradients: Default::default(),
        }
    }

    pub fn input<T: Element>(&self, i: usize) -> &'a [T] {
        let spec = &self.shapes.inputs[i];
        unsafe { read(*self.launch.inputs.add(i), spec, "input") }
    }
    pub fn parameter(&self, i: usize) -> &'a [f32] {
        let spec = &self.shapes.parameters[i];
        unsafe { read(*self.launch.parameters.add(i), spec, "parameter") }
    }
    pub fn output_gradient<T: Element>(&self, i: usize) -> &'a [T] {
        let spec = &self.shapes.outputs[i];
        unsafe {
            read(
                *self.launch.output_gradients.add(i),
                spec,
                "gradient of an output",
            )
        }
    }
    /// Forward writes it; backward may read it if plan() said so.
    pub fn output<T: Element>(&self, i: usize) -> &'a mut [T] {
        self.outputs.take(i);
        let spec = &self.shapes.outputs[i];
        unsafe { write(*self.launch.outputs.add(i), spec) }
            .expect("an output that backward did not declare")
    }
    pub fn state(&self, i: usize) -> &'a mut [f32] {
        self.states.take(i);
        let spec = &self.shapes.states[i];
        unsafe { write(*self.launch.states.add(i), spec) }.expect("a state")
    }
    /// None: the gradient is not wanted.
    pub fn input_gradient<T: Element>(&self, i: usize) -> Option<&'a mut [T]> {
        self.input_gradients.take(i);
        let spec = &self.shapes.inputs[i];
        unsafe { write(*self.launch.input_gradients.add(i), spec) }
    }
    /// None: the gradient is not wanted. If adds_parameter_gradients(), add to its contents.
    pub fn parameter_gradient(&self, i: usize) -> Option<&'a mut [f32]> {
        self.parameter_gradients.take(i);
        let spec = &self.shapes.parameters[i];
        unsafe { write(*self.launch.parameter_gradients.add(i), spec) }
    }
    pub fn adds_parameter_gradients(&self) -> bool {
        self.launch.accumulate_parameters != 0
    }
    pub fn saved<T: Element>(&self, i: usize) -> &'a mut [T] {
        self.saved.take(i);
        unsafe { bytes(*self.launch.saved.add(i), self.shapes.saved[i]) }
    }
    pub fn workspace<T: Element>(&self) -> &'a mut [T] {
        self.workspace.take(0);
        unsafe { bytes(self.launch.workspace, self.shapes.workspace) }
    }
    pub fn scalars(&self) -> &'a sluice_step_scalars {
        unsafe { &*self.launch.scalars }
    }
    /// The random key of node number `node` of the chain.
    pub fn random_key(&self, node: u64) -> sluice_random_key {
        sluice_random_key {
            seed: self.launch.random_seed,
            stream: self.launch.random_stream + node,
            counter: self.scalars().random_counter,
        }
    }
    pub fn threads(&self) -> Threads {
        Threads::of(self.launch.threads)
    }
}

unsafe fn read<'a, T: Element>(
    first: *const c_void,
    spec: &sluice_tensor_spec,
    what: &str,
) -> &'a [T] {
    assert!(spec.dtype == T::DTYPE, "{} of another element type", what);
    assert!(!first.is_null(), "{} that backward did not declare", what);
    std::slice::from_raw_parts(first as *const T, spec.count())
}

unsafe fn write<'a, T: Element>(
    first: *mut c_void,
    spec: &sluice_tensor_spec,
) -> Option<&'a mut [T]> {
    assert!(spec.dtype == T::DTYPE, "a tensor of another element type");
    match first.is_null() {
        true => None,
        false => Some(std::slice::from_raw_parts_mut(
            first as *mut T,
            spec.count(),
        )),
    }
}

unsafe fn bytes<'a, T: Element>(first: *mut c_void, count: u64) -> &'a mut [T] {
    let length = count as usize / std::mem::size_of::<T>();
    match length {
        0 => &mut [],
        _ => std::slice::from_raw_parts_mut(first as *mut T, length),
    }
}
