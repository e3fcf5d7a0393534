//! All that a plugin in Rust needs of Sluice, without a crate: the ABI of the C headers, and a trait for each kind of
//! component. All code that touches the ABI is here. It turns each `Err` and panic of a plugin into a status and a
//! message, and a failed allocation into `SLUICE_NO_MEMORY`.
#![allow(dead_code, unused_imports, non_camel_case_types)] // a plugin uses a part of it

mod abi;
mod batch_transform;
mod class_names;
mod error;
mod host;
mod identity;
mod kernel;
mod launch;
mod layer;
mod line;
mod observer;
mod optimizer;
mod options;
mod precision;
mod profile;
mod sampling;
mod source;
mod strategy;
mod tensor;
mod transform;

pub use abi::*;
pub use batch_transform::*;
pub use class_names::*;
pub use error::*;
pub use host::*;
pub use identity::*;
pub use kernel::*;
pub use launch::*;
pub use layer::*;
pub use line::{bytes_of, keep, quiet_panics};
pub use observer::*;
pub use optimizer::*;
pub use options::*;
pub use precision::*;
pub use profile::*;
pub use sampling::*;
pub use source::*;
pub use strategy::*;
pub use tensor::*;
pub use transform::*;

/// Returns an error from the function: `fail!(SLUICE_INVALID, "there is no field '{}'", name)`.
macro_rules! fail {
    ($status:expr, $($text:tt)*) => {
        return Err($crate::sluice::Error::new($status, format_args!($($text)*)))
    };
}
pub(crate) use fail;

/// Every plugin ends with it: `export! { "com.acme.layer.swish" => sluice::layer::<Swish> }`, with the ids of
/// plugin.toml, which is embedded in the library.
macro_rules! export {
    ($($id:literal => $get:expr),+ $(,)?) => {
        const COMPONENTS: &[$crate::sluice::sluice_component] =
            &[$($crate::sluice::sluice_component { id: $crate::sluice::sluice_text::of($id), get: $get }),+];

        const MANIFEST_TEXT: &str = concat!(
            "abi = \"1.0\"\narch = \"",
            $crate::sluice::architecture!(),
            "\"\n",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/plugin.toml"))
        );
        #[used]
        #[link_section = ".sluice.manifest"]
        static MANIFEST: [u8; MANIFEST_TEXT.len()] = $crate::sluice::bytes_of(MANIFEST_TEXT);

        unsafe extern "C" fn open(
            _: *const $crate::sluice::sluice_host, _: *mut $crate::sluice::sluice_error,
        ) -> $crate::sluice::sluice_status {
            $crate::sluice::keep(&MANIFEST);
            $crate::sluice::quiet_panics();
            $crate::sluice::SLUICE_OK
        }

        /// The only symbol that the library exports.
        #[no_mangle]
        #[allow(non_upper_case_globals)]
        pub static sluice_plugin_v1: $crate::sluice::sluice_plugin = $crate::sluice::sluice_plugin {
            abi_major: $crate::sluice::SLUICE_ABI_MAJOR,
            abi_minor: $crate::sluice::SLUICE_ABI_MINOR,
            component_count: COMPONENTS.len() as u32,
            reserved: 0,
            components: COMPONENTS.as_ptr(),
            open: Some(open),
            close: None,
        };
    };
}
pub(crate) use export;

#[cfg(target_arch = "x86_64")]
macro_rules! architecture {
    () => {
        "x86_64"
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! architecture {
    () => {
        "aarch64"
    };
}
pub(crate) use architecture;
