//! Transforms of samples: `sluice/kind/transform.h`.
use super::*;
use std::os::raw::{c_char, c_void};

pub const SLUICE_TRANSFORM_V1: &str = "sluice.transform/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_transform {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub describe: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_field,
        u32,
        *const sluice_field_sink,
        *mut sluice_error,
    ) -> sluice_status,
    pub context_create:
        unsafe extern "C" fn(*mut c_void, *mut *mut c_void, *mut sluice_error) -> sluice_status,
    pub context_destroy: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub apply: unsafe extern "C" fn(
        *mut c_void,
        *mut c_void,
        *const sluice_tensor,
        u32,
        *const sluice_random_key,
        *const sluice_sample_sink,
        *mut sluice_error,
    ) -> sluice_status,
}

/// An incoming field.
pub struct Field<'a>(&'a sluice_field);

impl<'a> Field<'a> {
    pub fn name(&self) -> &'a str {
        unsafe { self.0.name.as_str() }
    }
    /// SLUICE_FIELD_...
    pub fn role(&self) -> i32 {
        self.0.role
    }
    pub fn spec(&self) -> sluice_tensor_spec {
        self.0.spec
    }
}

pub(super) unsafe fn fields_of<'a>(
    first: *const sluice_field,
    count: u32,
) -> impl Iterator<Item = Field<'a>> {
    line::lent(first, count.into()).iter().map(Field)
}

pub trait Transform: Sized + Send + Sync + 'static {
    /// State of one worker at a time, such as scratch memory.
    type Context: Send + 'static;

    fn new(host: Host, options: Options) -> Result<Self>;
    /// Gets the incoming fields and reports those that it writes; called once, before any apply().
    fn describe<'a>(
        &mut self,
        fields: impl Iterator<Item = Field<'a>>,
        sink: &FieldSink,
    ) -> Result<()>;
    fn context(&self) -> Result<Self::Context>;
    /// `fields` have the order of describe(). The same key and the same fields give the same bytes.
    fn apply(
        &self,
        context: &mut Self::Context,
        fields: &Fields,
        key: sluice_random_key,
        sink: &SampleSink,
    ) -> Result<()>;
}

/// For `export!`.
pub unsafe extern "C" fn transform<T: Transform>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_TRANSFORM_V1, Table::<T>::TABLE)
}

struct Table<T>(T);

impl<T: Transform> Table<T> {
    const TABLE: &'static sluice_transform = &sluice_transform {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        describe: describe::<T>,
        context_create: context_create::<T>,
        context_destroy: line::drop_second::<T::Context>,
        apply: apply::<T>,
    };
}

line::create_of!(Transform);

unsafe extern "C" fn describe<T: Transform>(
    object: *mut c_void,
    fields: *const sluice_field,
    count: u32,
    sink: *const sluice_field_sink,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        (*(object as *mut T)).describe(fields_of(fields, count), &FieldSink::of(&*sink))
    })
}

unsafe extern "C" fn context_create<T: Transform>(
    object: *mut c_void,
    context: *mut *mut c_void,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::hand_out(context, (*(object as *const T)).context()?)
    })
}

unsafe extern "C" fn apply<T: Transform>(
    object: *mut c_void,
    context: *mut c_void,
    fields: *const sluice_tensor,
    count: u32,
    key: *const sluice_random_key,
    sink: *const sluice_sample_sink,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let context = &mut *(context as *mut T::Context);
        (*(object as *const T)).apply(
            context,
            &Fields::of(fields, count),
            *key,
            &SampleSink::of(&*sink),
        )
    })
}
