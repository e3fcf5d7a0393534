//! The frozen values and structs of Sluice's ABI 1.0, as in the C headers. These explain each under the same name:
//! `sluice/abi.h`, `host.h`, `options.h`, `plugin.h`, `random.h` and `tensor.h`.

use std::os::raw::{c_char, c_void};

// sluice/abi.h
pub const SLUICE_ABI_MAJOR: u32 = 1;
pub const SLUICE_ABI_MINOR: u32 = 0;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_text {
    pub ptr: *const c_char,
    pub len: u64,
}
pub type sluice_status = i32;
pub const SLUICE_OK: sluice_status = 0;
pub const SLUICE_FAILED: sluice_status = 1;
pub const SLUICE_INVALID: sluice_status = 2;
pub const SLUICE_UNSUPPORTED: sluice_status = 3;
pub const SLUICE_NO_MEMORY: sluice_status = 4;
pub const SLUICE_CANCELLED: sluice_status = 5;
pub const SLUICE_BAD_SAMPLE: sluice_status = 6;
pub const SLUICE_DEVICE_LOST: sluice_status = 7;
pub const SLUICE_REPLICA_LOST: sluice_status = 8;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_error {
    pub reserved: u32,
    pub line: u32,
    pub file: [c_char; 120],
    pub message: [c_char; 384],
}

// sluice/host.h
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_host {
    pub abi_major: u32,
    pub abi_minor: u32,
    pub impl_: *mut c_void,
    pub get: unsafe extern "C" fn(*const sluice_host, *const c_char) -> *const c_void,
}
pub const SLUICE_LOG_DEBUG: u32 = 0;
pub const SLUICE_LOG_INFO: u32 = 1;
pub const SLUICE_LOG_WARNING: u32 = 2;
pub const SLUICE_LOG_ERROR: u32 = 3;
pub const SLUICE_LOG_V1: &str = "sluice.log/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_log {
    pub level: unsafe extern "C" fn(*const sluice_host) -> u32,
    pub write: unsafe extern "C" fn(*const sluice_host, u32, sluice_text),
}
pub const SLUICE_MACHINE_V1: &str = "sluice.machine/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_machine {
    pub usable_cores: unsafe extern "C" fn(*const sluice_host) -> u32,
    pub available_memory: unsafe extern "C" fn(*const sluice_host) -> u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_threads {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub count: u32,
    pub reserved: u32,
    pub parallel_for: unsafe extern "C" fn(
        *const sluice_threads,
        i64,
        i64,
        unsafe extern "C" fn(*mut c_void, i64, i64, u32),
        *mut c_void,
    ),
}

// sluice/options.h
pub const SLUICE_NIL: u32 = 0;
pub const SLUICE_BOOL: u32 = 1;
pub const SLUICE_INT: u32 = 2;
pub const SLUICE_FLOAT: u32 = 3;
pub const SLUICE_STRING: u32 = 4;
pub const SLUICE_ARRAY: u32 = 5;
pub const SLUICE_TABLE: u32 = 6;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_value {
    pub kind: u32,
    pub line: u32,
    pub count: u64,
    pub as_: sluice_value_as,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub union sluice_value_as {
    pub i: i64,
    pub f: f64,
    pub text: *const c_char,
    pub items: *const sluice_value,
    pub pairs: *const sluice_pair,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_pair {
    pub key: sluice_text,
    pub value: sluice_value,
}

// sluice/plugin.h
pub const SLUICE_MANIFEST_SECTION: &str = ".sluice.manifest";
pub const SLUICE_PLUGIN_SYMBOL: &str = "sluice_plugin_v1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_component {
    pub id: sluice_text,
    pub get: unsafe extern "C" fn(*const sluice_component, *const c_char) -> *const c_void,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_plugin {
    pub abi_major: u32,
    pub abi_minor: u32,
    pub component_count: u32,
    pub reserved: u32,
    pub components: *const sluice_component,
    pub open: Option<unsafe extern "C" fn(*const sluice_host, *mut sluice_error) -> sluice_status>,
    pub close: Option<unsafe extern "C" fn()>,
}

// sluice/random.h
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_random_key {
    pub seed: u64,
    pub stream: u64,
    pub counter: u64,
}

// sluice/tensor.h
pub const SLUICE_DEVICE_CPU: i32 = 1;
pub const SLUICE_DEVICE_CUDA: i32 = 2;
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_device_ref {
    pub type_: i32,
    pub index: i32,
}
pub const SLUICE_CODE_INT: u8 = 0;
pub const SLUICE_CODE_UINT: u8 = 1;
pub const SLUICE_CODE_FLOAT: u8 = 2;
pub const SLUICE_CODE_BFLOAT: u8 = 4;
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq)]
pub struct sluice_dtype {
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_tensor {
    pub data: *mut c_void,
    pub device: sluice_device_ref,
    pub rank: i32,
    pub dtype: sluice_dtype,
    pub shape: *const i64,
    pub strides: *const i64,
    pub byte_offset: u64,
}
pub const SLUICE_MAX_RANK: usize = 8;
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_tensor_spec {
    pub shape: [i64; SLUICE_MAX_RANK],
    pub rank: i32,
    pub dtype: sluice_dtype,
}
