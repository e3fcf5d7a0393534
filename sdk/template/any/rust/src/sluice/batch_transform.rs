//! Transforms of whole batches, in place: `sluice/kind/batch_transform.h`.
use super::*;
use std::os::raw::{c_char, c_void};

pub const SLUICE_BATCH_TRANSFORM_V1: &str = "sluice.batch_transform/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_batch_transform {
    pub apply: unsafe extern "C" fn(
        *mut c_void,
        *mut c_void,
        *const sluice_tensor,
        u32,
        *const sluice_random_key,
        *mut sluice_error,
    ) -> sluice_status,
}

/// The fields of a batch, [batch, ...] each.
pub struct Batch<'a>(Fields<'a>);

impl<'a> Batch<'a> {
    pub fn extents(&self, field: usize) -> &'a [i64] {
        self.0.extents(field)
    }
    /// Lends the elements of a field that describe() reported; call it once for each field.
    pub fn elements_mut<T: Element>(&mut self, field: usize) -> Result<&'a mut [T]> {
        unsafe { self.0.elements_mut(field) }
    }
}

pub trait BatchTransform: Sized + Send + Sync + 'static {
    /// State of one worker at a time, such as scratch memory.
    type Context: Send + 'static;

    fn new(host: Host, options: Options) -> Result<Self>;
    /// Gets the fields of a sample and reports those that it changes, with the same type and shape; called once, before
    /// any apply().
    fn describe<'a>(
        &mut self,
        fields: impl Iterator<Item = Field<'a>>,
        sink: &FieldSink,
    ) -> Result<()>;
    fn context(&self) -> Result<Self::Context>;
    /// The same key and the same batch give the same bytes.
    fn apply(
        &self,
        context: &mut Self::Context,
        batch: &mut Batch,
        key: sluice_random_key,
    ) -> Result<()>;
}

/// For `export!`.
pub unsafe extern "C" fn batch_transform<T: BatchTransform>(
    component: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    let found = line::serve(id, SLUICE_BATCH_TRANSFORM_V1, Table::<T>::TABLE);
    if found.is_null() {
        transform::<OfSamples<T>>(component, id)
    } else {
        found
    }
}

struct Table<T>(T);

impl<T: BatchTransform> Table<T> {
    const TABLE: &'static sluice_batch_transform = &sluice_batch_transform { apply: apply::<T> };
}

unsafe extern "C" fn apply<T: BatchTransform>(
    object: *mut c_void,
    context: *mut c_void,
    fields: *const sluice_tensor,
    count: u32,
    key: *const sluice_random_key,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let context = &mut *(context as *mut T::Context);
        (*(object as *const OfSamples<T>)).0.apply(
            context,
            &mut Batch(Fields::of(fields, count)),
            *key,
        )
    })
}

/// The transform that a host uses if it knows only transforms of samples.
struct OfSamples<T>(T);

impl<T: BatchTransform> Transform for OfSamples<T> {
    type Context = T::Context;

    fn new(host: Host, options: Options) -> Result<Self> {
        Ok(OfSamples(T::new(host, options)?))
    }
    fn describe<'a>(
        &mut self,
        fields: impl Iterator<Item = Field<'a>>,
        sink: &FieldSink,
    ) -> Result<()> {
        self.0.describe(fields, sink)
    }
    fn context(&self) -> Result<T::Context> {
        self.0.context()
    }
    fn apply(
        &self,
        _: &mut T::Context,
        _: &Fields,
        _: sluice_random_key,
        _: &SampleSink,
    ) -> Result<()> {
        fail!(
            SLUICE_UNSUPPORTED,
            "it works on whole batches, which this host does not know"
        )
    }
}
