//! Kernels: `sluice/kind/kernel.h`. `launch.rs` has the tensors of a launch.
use super::*;
use std::cell::{Cell, RefCell};
use std::os::raw::{c_char, c_void};

pub const SLUICE_NODE_TRAIN: u32 = 1;
pub const SLUICE_NODE_DETERMINISTIC: u32 = 2;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_node {
    pub struct_size: u64,
    pub type_: sluice_text,
    pub path: sluice_text,
    pub options: *const sluice_value,
    pub inputs: *const sluice_tensor_spec,
    pub outputs: *const sluice_tensor_spec,
    pub parameters: *const sluice_tensor_spec,
    pub states: *const sluice_tensor_spec,
    pub input_count: u32,
    pub output_count: u32,
    pub parameter_count: u32,
    pub state_count: u32,
    pub wanted_gradients: u64,
    pub accumulated_gradients: u64,
    pub chained_input: i32,
    pub flags: u32,
    pub compute: sluice_dtype,
    pub accumulate: sluice_dtype,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_kernel_sink {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub threads: *const sluice_threads,
    pub may_measure: u32,
    pub reserved: u32,
    pub add_saved: unsafe extern "C" fn(*const sluice_kernel_sink, u64),
    pub set_workspace: unsafe extern "C" fn(*const sluice_kernel_sink, u64),
    pub backward_reads_input: unsafe extern "C" fn(*const sluice_kernel_sink, u32),
    pub backward_reads_output: unsafe extern "C" fn(*const sluice_kernel_sink, u32),
    pub set_note: unsafe extern "C" fn(*const sluice_kernel_sink, sluice_text),
    pub may_overwrite: unsafe extern "C" fn(*const sluice_kernel_sink, u32, u32),
    pub may_overwrite_gradient: unsafe extern "C" fn(*const sluice_kernel_sink, u32, u32),
    pub recall: unsafe extern "C" fn(*const sluice_kernel_sink, sluice_text) -> sluice_text,
    pub remember: unsafe extern "C" fn(*const sluice_kernel_sink, sluice_text, sluice_text),
    pub computes_in: unsafe extern "C" fn(*const sluice_kernel_sink, sluice_dtype),
    pub reads_rounded_parameters: unsafe extern "C" fn(*const sluice_kernel_sink, sluice_dtype),
    pub set_arithmetic: unsafe extern "C" fn(*const sluice_kernel_sink, f64, f64),
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_step_scalars {
    pub rate: f64,
    pub gradient_scale: f64,
    pub loss_seed: f64,
    pub step: u64,
    pub random_counter: u64,
    pub skip: u32,
    pub reserved_flags: u32,
    pub reserved: [u64; 10],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_replicas {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub sum: unsafe extern "C" fn(
        *const sluice_replicas,
        *mut f64,
        u64,
        sluice_text,
        *mut sluice_error,
    ) -> sluice_status,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_launch {
    pub struct_size: u64,
    pub inputs: *const *const c_void,
    pub outputs: *const *mut c_void,
    pub parameters: *const *const c_void,
    pub states: *const *mut c_void,
    pub saved: *const *mut c_void,
    pub output_gradients: *const *const c_void,
    pub input_gradients: *const *mut c_void,
    pub parameter_gradients: *const *mut c_void,
    pub workspace: *mut c_void,
    pub stream: *mut c_void,
    pub scalars: *const sluice_step_scalars,
    pub threads: *const sluice_threads,
    pub random_seed: u64,
    pub random_stream: u64,
    pub accumulate_parameters: u32,
    pub parameters_version: u32,
    pub rounded_parameters: *const *const c_void,
    pub replicas: *const sluice_replicas,
}
pub const SLUICE_KERNEL_V1: &str = "sluice.kernel/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_kernel {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        sluice_device_ref,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub supports: unsafe extern "C" fn(
        *mut c_void,
        *const *const sluice_node,
        u32,
        *mut sluice_error,
    ) -> sluice_status,
    pub plan: unsafe extern "C" fn(
        *mut c_void,
        *const *const sluice_node,
        u32,
        *const sluice_kernel_sink,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub release: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub forward:
        unsafe extern "C" fn(*mut c_void, *const sluice_launch, *mut sluice_error) -> sluice_status,
    pub backward:
        unsafe extern "C" fn(*mut c_void, *const sluice_launch, *mut sluice_error) -> sluice_status,
}

/// One layer of the graph, as the plan fixed it; lent until the call returns.
#[repr(transparent)]
pub struct Node<'a>(&'a sluice_node);

impl<'a> Node<'a> {
    pub fn layer_type(&self) -> &'a str {
        unsafe { self.0.type_.as_str() }
    }
    pub fn path(&self) -> &'a str {
        unsafe { self.0.path.as_str() }
    }
    pub fn options(&self) -> Options<'a> {
        unsafe { Options::of(self.0.options) }
    }
    pub fn inputs(&self) -> &'a [sluice_tensor_spec] {
        unsafe { line::lent(self.0.inputs, self.0.input_count.into()) }
    }
    pub fn outputs(&self) -> &'a [sluice_tensor_spec] {
        unsafe { line::lent(self.0.outputs, self.0.output_count.into()) }
    }
    pub fn parameters(&self) -> &'a [sluice_tensor_spec] {
        unsafe { line::lent(self.0.parameters, self.0.parameter_count.into()) }
    }
    pub fn states(&self) -> &'a [sluice_tensor_spec] {
        unsafe { line::lent(self.0.states, self.0.state_count.into()) }
    }
    /// Type of the operands of its arithmetic.
    pub fn compute(&self) -> sluice_dtype {
        self.0.compute
    }
    /// Type of its sums.
    pub fn accumulate(&self) -> sluice_dtype {
        self.0.accumulate
    }
    pub fn trains(&self) -> bool {
        self.0.flags & SLUICE_NODE_TRAIN != 0
    }
    pub fn wants_gradient(&self, input: usize) -> bool {
        self.0.wanted_gradients >> input & 1 != 0
    }
    /// True if the gradient is added to the memory's contents.
    pub fn adds_gradient(&self, input: usize) -> bool {
        self.0.accumulated_gradients >> input & 1 != 0
    }
    /// The input that the node before it in the chain feeds.
    pub fn chained_input(&self) -> Option<usize> {
        usize::try_from(self.0.chained_input).ok()
    }
}

/// A kernel states its needs here, during plan().
pub struct KernelSink<'a> {
    sink: &'a sluice_kernel_sink,
    saved: RefCell<Vec<u64>>,
    workspace: Cell<u64>,
}

impl KernelSink<'_> {
    /// Asks for memory that forward writes and backward reads; returns its number.
    pub fn saved(&self, bytes: u64) -> Result<usize> {
        let mut all = self.saved.borrow_mut();
        all.try_reserve(1)?;
        all.push(bytes);
        unsafe { (self.sink.add_saved)(self.sink, bytes) };
        Ok(all.len() - 1)
    }
    /// Asks for scratch memory of one call.
    pub fn workspace(&self, bytes: u64) {
        self.workspace.set(bytes);
        unsafe { (self.sink.set_workspace)(self.sink, bytes) }
    }
    /// Inputs that are not named may be overwritten before backward.
    pub fn backward_reads_input(&self, input: u32) {
        unsafe { (self.sink.backward_reads_input)(self.sink, input) }
    }
    pub fn backward_reads_output(&self, output: u32) {
        unsafe { (self.sink.backward_reads_output)(self.sink, output) }
    }
    /// Names the algorithm in a few words.
    pub fn note(&self, text: &str) {
        unsafe { (self.sink.set_note)(self.sink, sluice_text::lend(text)) }
    }
}

/// Lengths and types of the tensors that launches of a kernel lend.
pub(super) struct Shapes {
    pub inputs: Vec<sluice_tensor_spec>, // those that come from outside the chain
    pub outputs: Vec<sluice_tensor_spec>,
    pub parameters: Vec<sluice_tensor_spec>,
    pub states: Vec<sluice_tensor_spec>,
    pub saved: Vec<u64>,
    pub workspace: u64,
}

impl Shapes {
    fn of(chain: &[Node], sink: KernelSink) -> Result<Shapes> {
        fn copy<'a>(
            to: &mut Vec<sluice_tensor_spec>,
            from: impl Iterator<Item = &'a sluice_tensor_spec>,
        ) -> Result<()> {
            for spec in from {
                to.try_reserve(1)?;
                to.push(*spec);
            }
            Ok(())
        }
        let (mut inputs, mut outputs, mut parameters, mut states) =
            (vec![], vec![], vec![], vec![]);
        for node in chain {
            let outer = node
                .inputs()
                .iter()
                .enumerate()
                .filter(|(i, _)| node.chained_input() != Some(*i));
            copy(&mut inputs, outer.map(|(_, spec)| spec))?;
            copy(&mut parameters, node.parameters().iter())?;
            copy(&mut states, node.states().iter())?;
        }
        copy(
            &mut outputs,
            chain
                .last()
                .map_or(&[] as &[_], |node| node.outputs())
                .iter(),
        )?;
        Ok(Shapes {
            inputs,
            outputs,
            parameters,
            states,
            saved: sink.saved.into_inner(),
            workspace: sink.workspace.get(),
        })
    }
}

/// A provider: it claims chains of nodes and makes a kernel for each.
pub trait Kernels: Sized + Send + Sync + 'static {
    type Kernel: Kernel;

    fn new(host: Host, options: Options, device: sluice_device_ref) -> Result<Self>;
    /// Claims the chain, or returns SLUICE_UNSUPPORTED with the reason. It is cheap and does not call the host.
    fn supports(&self, chain: &[Node]) -> Result<()>;
    fn plan(&mut self, chain: &[Node], sink: &KernelSink) -> Result<Self::Kernel>;
}

pub trait Kernel: Send + 'static {
    fn forward(&mut self, launch: &Launch) -> Result<()>;
    fn backward(&mut self, launch: &Launch) -> Result<()>;
}

/// For `export!`.
pub unsafe extern "C" fn kernels<T: Kernels>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_KERNEL_V1, Table::<T>::TABLE)
}

struct Planned<K> {
    kernel: K,
    shapes: Shapes,
}

struct Table<T>(T);

impl<T: Kernels> Table<T> {
    const TABLE: &'static sluice_kernel = &sluice_kernel {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        supports: supports::<T>,
        plan: plan::<T>,
        release: line::drop_second::<Planned<T::Kernel>>,
        forward: forward::<T::Kernel>,
        backward: backward::<T::Kernel>,
    };
}

// A Node is a pointer, as the entries of a chain are.
unsafe fn chain_of<'a>(first: *const *const sluice_node, count: u32) -> &'a [Node<'a>] {
    line::lent(first as *const Node, count.into())
}

unsafe extern "C" fn create<T: Kernels>(
    host: *const sluice_host,
    options: *const sluice_value,
    device: sluice_device_ref,
    object: *mut *mut c_void,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::hand_out(
            object,
            T::new(Host::of(host), Options::of(options), device)?,
        )
    })
}

unsafe extern "C" fn supports<T: Kernels>(
    object: *mut c_void,
    chain: *const *const sluice_node,
    count: u32,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let chain = chain_of(chain, count);
        if chain
            .iter()
            .any(|node| node.0.flags & !(SLUICE_NODE_TRAIN | SLUICE_NODE_DETERMINISTIC) != 0)
        {
            fail!(SLUICE_UNSUPPORTED, "a node has a flag of a later version");
        }
        (*(object as *const T)).supports(chain)
    })
}

unsafe extern "C" fn plan<T: Kernels>(
    object: *mut c_void,
    chain: *const *const sluice_node,
    count: u32,
    sink: *const sluice_kernel_sink,
    made: *mut *mut c_void,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let chain = chain_of(chain, count);
        let sink = KernelSink {
            sink: &*sink,
            saved: RefCell::default(),
            workspace: Cell::new(0),
        };
        let kernel = (*(object as *mut T)).plan(chain, &sink)?;
        line::hand_out(
            made,
            Planned {
                kernel,
                shapes: Shapes::of(chain, sink)?,
            },
        )
    })
}

unsafe extern "C" fn forward<K: Kernel>(
    object: *mut c_void,
    launch: *const sluice_launch,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let planned = &mut *(object as *mut Planned<K>);
        planned
            .kernel
            .forward(&Launch::of(&*launch, &planned.shapes))
    })
}

unsafe extern "C" fn backward<K: Kernel>(
    object: *mut c_void,
    launch: *const sluice_launch,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let planned = &mut *(object as *mut Planned<K>);
        planned
            .kernel
            .backward(&Launch::of(&*launch, &planned.shapes))
    })
}
