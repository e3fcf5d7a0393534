//! Recorded windows of a training: `sluice/kind/profile.h`.
use super::*;
use std::marker::PhantomData;

pub const SLUICE_NONE: u32 = 0xffffffff;
pub const SLUICE_SPAN_STEP: u32 = 0;
pub const SLUICE_SPAN_STAGE: u32 = 1;
pub const SLUICE_SPAN_FORWARD: u32 = 2;
pub const SLUICE_SPAN_RECOMPUTE: u32 = 3;
pub const SLUICE_SPAN_BACKWARD: u32 = 4;
pub const SLUICE_SPAN_OPTIMIZER: u32 = 5;
pub const SLUICE_SPAN_READ: u32 = 6;
pub const SLUICE_SPAN_PREPROCESS: u32 = 7;
pub const SLUICE_SPAN_INPUT_WAIT: u32 = 8;
pub const SLUICE_SPAN_UPLOAD: u32 = 9;
pub const SLUICE_SPAN_DOWNLOAD: u32 = 10;
pub const SLUICE_SPAN_EXCHANGE: u32 = 11;
pub const SLUICE_SPAN_OBSERVER: u32 = 12;
pub const SLUICE_SPAN_STORAGE: u32 = 13;
pub const SLUICE_SPAN_ALLOCATION: u32 = 14;
pub const SLUICE_SPAN_RELEASE: u32 = 15;
pub const SLUICE_SPAN_EVALUATION: u32 = 16;
pub const SLUICE_SPAN_KERNEL: u32 = 17;
pub const SLUICE_SPAN_CALL: u32 = 18;
pub const SLUICE_THREAD_LOOP: u32 = 0;
pub const SLUICE_THREAD_COMPUTE: u32 = 1;
pub const SLUICE_THREAD_INPUT: u32 = 2;
pub const SLUICE_THREAD_OBSERVER: u32 = 3;
pub const SLUICE_THREAD_OTHER: u32 = 4;
pub const SLUICE_THREAD_STREAM: u32 = 5;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_span {
    pub begin_ns: i64,
    pub duration_ns: i64,
    pub step: i64,
    pub sample: i64,
    pub bytes: u64,
    pub kind: u32,
    pub thread: u32,
    pub name: u32,
    pub operation: u32,
    pub correlation: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_profile_thread {
    pub name: sluice_text,
    pub id: i64,
    pub kind: u32,
    pub device: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_profile_operation {
    pub path: sluice_text,
    pub type_: sluice_text,
    pub shape: sluice_text,
    pub kernel: sluice_text,
    pub flop: f64,
    pub done_flop: f64,
    pub bytes: f64,
    pub span_kind: u32,
    pub dtype: sluice_dtype,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_profile_tensor {
    pub name: sluice_text,
    pub bytes: u64,
    pub offset: u64,
    pub first_operation: u32,
    pub last_operation: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_profile_point {
    pub time_ns: i64,
    pub value: f64,
    pub name: u32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_profile {
    pub struct_size: u64,
    pub first_step: i64,
    pub last_step: i64,
    pub duration_ns: i64,
    pub began_unix_ns: u64,
    pub rank: u32,
    pub ranks: u32,
    pub dropped_spans: u64,
    pub cost_seconds: f64,
    pub peak_flop: f64,
    pub peak_bandwidth: f64,
    pub device: sluice_text,
    pub spans: *const sluice_span,
    pub span_count: u64,
    pub span_size: u64,
    pub threads: *const sluice_profile_thread,
    pub thread_count: u64,
    pub thread_size: u64,
    pub operations: *const sluice_profile_operation,
    pub operation_count: u64,
    pub operation_size: u64,
    pub tensors: *const sluice_profile_tensor,
    pub tensor_count: u64,
    pub tensor_size: u64,
    pub points: *const sluice_profile_point,
    pub point_count: u64,
    pub point_size: u64,
    pub names: *const sluice_text,
    pub name_count: u64,
}

/// A recorded window; lent until on_event() returns.
pub struct Profile<'a> {
    own: sluice_profile,
    lent: PhantomData<&'a sluice_profile>,
}

/// A thread or a stream of a device.
pub struct ProfileThread<'a> {
    pub name: &'a str,
    pub id: i64,
    /// SLUICE_THREAD_...
    pub kind: u32,
    /// Number of a stream's device, else SLUICE_NONE.
    pub device: u32,
}

/// The work of a launch: a chain of layers in one direction.
pub struct ProfileOperation<'a> {
    pub path: &'a str,
    pub type_: &'a str,
    pub shape: &'a str,
    pub kernel: &'a str,
    pub flop: f64,
    pub done_flop: f64,
    pub bytes: f64,
    /// SLUICE_SPAN_...
    pub span_kind: u32,
    pub dtype: sluice_dtype,
}

/// A tensor in the arena, and the operations between which it lives.
pub struct ProfileTensor<'a> {
    pub name: &'a str,
    pub bytes: u64,
    pub offset: u64,
    pub first_operation: u32,
    pub last_operation: u32,
}

/// A value at one time, which holds until the next point of the same name.
pub struct ProfilePoint<'a> {
    pub time_ns: i64,
    pub value: f64,
    pub name: &'a str,
}

impl<'a> Profile<'a> {
    pub(super) unsafe fn of(window: *const sluice_profile) -> Self {
        Profile {
            own: line::known_part(window),
            lent: PhantomData,
        }
    }
    pub fn first_step(&self) -> i64 {
        self.own.first_step
    }
    pub fn last_step(&self) -> i64 {
        self.own.last_step
    }
    pub fn duration_ns(&self) -> i64 {
        self.own.duration_ns
    }
    /// The window's beginning, since 1970.
    pub fn began_unix_ns(&self) -> u64 {
        self.own.began_unix_ns
    }
    pub fn rank(&self) -> u32 {
        self.own.rank
    }
    pub fn ranks(&self) -> u32 {
        self.own.ranks
    }
    pub fn dropped_spans(&self) -> u64 {
        self.own.dropped_spans
    }
    /// Of a step, for recording; negative: not measured.
    pub fn cost_seconds(&self) -> f64 {
        self.own.cost_seconds
    }
    /// Per second, of this machine; 0: not measured.
    pub fn peak_flop(&self) -> f64 {
        self.own.peak_flop
    }
    /// Bytes per second; 0: not measured.
    pub fn peak_bandwidth(&self) -> f64 {
        self.own.peak_bandwidth
    }
    pub fn device(&self) -> &'a str {
        unsafe { self.own.device.as_str() }
    }
    /// By begin_ns. `thread`, `name` and `operation` of a span are indices.
    pub fn spans(&self) -> Elements<'a, sluice_span> {
        Elements::new(self.own.spans, self.own.span_count, self.own.span_size)
    }
    pub fn threads(&self) -> impl Iterator<Item = ProfileThread<'a>> {
        let all = Elements::<sluice_profile_thread>::new(
            self.own.threads,
            self.own.thread_count,
            self.own.thread_size,
        );
        all.map(|one| ProfileThread {
            name: unsafe { one.name.as_str() },
            id: one.id,
            kind: one.kind,
            device: one.device,
        })
    }
    /// In the order in which a step launches them.
    pub fn operations(&self) -> impl Iterator<Item = ProfileOperation<'a>> {
        let all = Elements::<sluice_profile_operation>::new(
            self.own.operations,
            self.own.operation_count,
            self.own.operation_size,
        );
        all.map(|one| unsafe {
            ProfileOperation {
                path: one.path.as_str(),
                type_: one.type_.as_str(),
                shape: one.shape.as_str(),
                kernel: one.kernel.as_str(),
                flop: one.flop,
                done_flop: one.done_flop,
                bytes: one.bytes,
                span_kind: one.span_kind,
                dtype: one.dtype,
            }
        })
    }
    pub fn tensors(&self) -> impl Iterator<Item = ProfileTensor<'a>> {
        let all = Elements::<sluice_profile_tensor>::new(
            self.own.tensors,
            self.own.tensor_count,
            self.own.tensor_size,
        );
        all.map(|one| ProfileTensor {
            name: unsafe { one.name.as_str() },
            bytes: one.bytes,
            offset: one.offset,
            first_operation: one.first_operation,
            last_operation: one.last_operation,
        })
    }
    /// By time_ns.
    pub fn points(&self) -> impl Iterator<Item = ProfilePoint<'a>> + '_ {
        let all = Elements::<sluice_profile_point>::new(
            self.own.points,
            self.own.point_count,
            self.own.point_size,
        );
        all.map(|one| ProfilePoint {
            time_ns: one.time_ns,
            value: one.value,
            name: self.name(one.name),
        })
    }
    /// Returns an empty text if `index` names nothing, as SLUICE_NONE does.
    pub fn name(&self, index: u32) -> &'a str {
        let all = unsafe { line::lent(self.own.names, self.own.name_count) };
        all.get(index as usize)
            .map_or("", |one| unsafe { one.as_str() })
    }
}

/// Iterates over an array of structs that comes with the size of one element. The host's elements may be longer or
/// shorter than those of this library, so each one is copied; what the host does not know is zero.
pub struct Elements<'a, T> {
    next: *const u8,
    left: u64,
    size: u64,
    lent: PhantomData<&'a T>,
}

impl<'a, T: Copy> Elements<'a, T> {
    fn new(first: *const T, count: u64, size: u64) -> Self {
        Elements {
            next: first as *const u8,
            left: count,
            size,
            lent: PhantomData,
        }
    }
}

impl<'a, T: Copy> Iterator for Elements<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.left == 0 {
            return None;
        }
        let mut element = std::mem::MaybeUninit::<T>::zeroed();
        let known = std::cmp::min(self.size as usize, std::mem::size_of::<T>());
        self.left -= 1;
        unsafe {
            std::ptr::copy_nonoverlapping(self.next, element.as_mut_ptr() as *mut u8, known);
            self.next = self.next.wrapping_add(self.size as usize);
            Some(element.assume_init()) // all bytes of these structs may be zero
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl<'a, T: Copy> ExactSizeIterator for Elements<'a, T> {}
