//! Data sources: `sluice/kind/source.h`.
use super::*;
use std::os::raw::{c_char, c_void};

pub const SLUICE_FIELD_TENSOR: i32 = 0;
pub const SLUICE_FIELD_IMAGE: i32 = 1;
pub const SLUICE_FIELD_ENCODED: i32 = 2;
pub const SLUICE_FIELD_CLASS: i32 = 3;
pub const SLUICE_FIELD_LABEL_MAP: i32 = 4;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_field {
    pub name: sluice_text,
    pub role: i32,
    pub reserved_flags: i32,
    pub spec: sluice_tensor_spec,
    pub reserved: [u64; 4],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_field_sink {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub add_field: unsafe extern "C" fn(*const sluice_field_sink, *const sluice_field),
    pub set_length: unsafe extern "C" fn(*const sluice_field_sink, u64),
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_sample_sink {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub allocate: unsafe extern "C" fn(
        *const sluice_sample_sink,
        u32,
        *const sluice_tensor_spec,
    ) -> *mut c_void,
    pub set_name: unsafe extern "C" fn(*const sluice_sample_sink, sluice_text),
}
pub const SLUICE_SOURCE_V1: &str = "sluice.source/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_source {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub describe: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_field_sink,
        *mut sluice_error,
    ) -> sluice_status,
    pub context_create:
        unsafe extern "C" fn(*mut c_void, *mut *mut c_void, *mut sluice_error) -> sluice_status,
    pub context_destroy: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub read: unsafe extern "C" fn(
        *mut c_void,
        *mut c_void,
        u64,
        u64,
        *const sluice_sample_sink,
        *mut sluice_error,
    ) -> sluice_status,
}

/// describe() reports here.
pub struct FieldSink<'a>(&'a sluice_field_sink);

impl FieldSink<'_> {
    pub(super) fn of(sink: &sluice_field_sink) -> FieldSink<'_> {
        FieldSink(sink)
    }
    /// role: SLUICE_FIELD_...
    pub fn field(&self, name: &str, role: i32, spec: sluice_tensor_spec) {
        let field = sluice_field {
            name: sluice_text::lend(name),
            role,
            reserved_flags: 0,
            spec,
            reserved: [0; 4],
        };
        unsafe { (self.0.add_field)(self.0, &field) }
    }
    pub fn length(&self, samples: u64) {
        unsafe { (self.0.set_length)(self.0, samples) }
    }
}

/// A sample is written here.
pub struct SampleSink<'a> {
    sink: &'a sluice_sample_sink,
    given: tensor::Given,
}

impl<'a> SampleSink<'a> {
    pub(super) fn of(sink: &'a sluice_sample_sink) -> SampleSink<'a> {
        SampleSink {
            sink,
            given: tensor::Given::default(),
        }
    }
    /// Lends memory for field number `field`. Call it once for each field, and fill the memory.
    pub fn allocate<T: Element>(&self, field: u32, extents: &[i64]) -> Result<&'a mut [T]> {
        self.given.take(field as usize);
        let spec = sluice_tensor_spec::new(T::DTYPE, extents);
        let memory = unsafe { (self.sink.allocate)(self.sink, field, &spec) };
        if memory.is_null() {
            fail!(
                SLUICE_NO_MEMORY,
                "the host has no memory for field {}",
                field
            );
        }
        Ok(unsafe { std::slice::from_raw_parts_mut(memory as *mut T, spec.count()) })
    }
    /// Names the sample for messages, usually by a file's path.
    pub fn name(&self, name: &str) {
        unsafe { (self.sink.set_name)(self.sink, sluice_text::lend(name)) }
    }
}

pub trait Source: Sized + Send + Sync + 'static {
    /// State of one worker at a time, such as scratch memory.
    type Context: Send + 'static;

    /// Finds the data, and checks all that can be checked without reading samples.
    fn new(host: Host, options: Options) -> Result<Self>;
    fn describe(&self, sink: &FieldSink) -> Result<()>;
    fn context(&self) -> Result<Self::Context>;
    /// Reads sample `index`: the same bytes on any thread and in any order. `seed` is the run's.
    fn read(
        &self,
        context: &mut Self::Context,
        index: u64,
        seed: u64,
        sink: &SampleSink,
    ) -> Result<()>;

    // Further interfaces; a source serves those that it sets, as in `Some(Self::identity)`.

    /// A hash of all that samples depend on besides the options, such as sizes and modification times of files. A cache
    /// on disk and a resumed run notice by it that data have changed.
    const IDENTITY: Option<fn(&Self) -> Result<[u64; 2]>> = None;
    /// The class number of each sample, so that all classes can be drawn equally often.
    const CLASSES: Option<fn(&Self, &mut [i64]) -> Result<()>> = None;
    /// The relative frequency of each sample, finite and not negative.
    const WEIGHTS: Option<fn(&Self, &mut [f64]) -> Result<()>> = None;
    /// The name of a class by the number of its field and its own, for messages and checkpoints. Empty: it has none.
    const CLASS_NAME: Option<fn(&Self, u32, u64) -> &str> = None;
}

/// For `export!`.
pub unsafe extern "C" fn source<T: Source>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    let mut found = line::serve(id, SLUICE_SOURCE_V1, Table::<T>::TABLE);
    if found.is_null() && T::IDENTITY.is_some() {
        found = line::serve(id, SLUICE_IDENTITY_V1, IdentityTable::<T>::TABLE);
    }
    if found.is_null() && (T::CLASSES.is_some() || T::WEIGHTS.is_some()) {
        found = line::serve(id, SLUICE_SAMPLING_V1, SamplingTable::<T>::TABLE);
    }
    if found.is_null() && T::CLASS_NAME.is_some() {
        found = line::serve(id, SLUICE_CLASS_NAMES_V1, ClassNamesTable::<T>::TABLE);
    }
    found
}

struct Table<T>(T);

impl<T: Source> Table<T> {
    const TABLE: &'static sluice_source = &sluice_source {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        describe: describe::<T>,
        context_create: context_create::<T>,
        context_destroy: line::drop_second::<T::Context>,
        read: read::<T>,
    };
}

line::create_of!(Source);

unsafe extern "C" fn describe<T: Source>(
    object: *mut c_void,
    sink: *const sluice_field_sink,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        (*(object as *const T)).describe(&FieldSink::of(&*sink))
    })
}

unsafe extern "C" fn context_create<T: Source>(
    object: *mut c_void,
    context: *mut *mut c_void,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::hand_out(context, (*(object as *const T)).context()?)
    })
}

unsafe extern "C" fn read<T: Source>(
    object: *mut c_void,
    context: *mut c_void,
    index: u64,
    seed: u64,
    sink: *const sluice_sample_sink,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let context = &mut *(context as *mut T::Context);
        (*(object as *const T)).read(context, index, seed, &SampleSink::of(&*sink))
    })
}
