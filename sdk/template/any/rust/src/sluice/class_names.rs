//! The names of a source's classes: `sluice/kind/class_names.h`.
use super::*;
use std::os::raw::c_void;

pub const SLUICE_CLASS_NAMES_V1: &str = "sluice.class_names/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_class_names {
    pub name: unsafe extern "C" fn(*mut c_void, u32, u64) -> sluice_text,
}

pub(super) struct ClassNamesTable<T>(T);

impl<T: Source> ClassNamesTable<T> {
    pub(super) const TABLE: &'static sluice_class_names = &sluice_class_names { name: name::<T> };
}

unsafe extern "C" fn name<T: Source>(object: *mut c_void, field: u32, number: u64) -> sluice_text {
    line::sheltered(sluice_text::lend(""), || match T::CLASS_NAME {
        Some(name_of) => sluice_text::lend(name_of(&*(object as *const T), field, number)),
        None => sluice_text::lend(""),
    })
}
