//! Recorded windows of a training: `sluice/kind/profile.h`.
use super::*;

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
