//! The host's services: its log, and the threads of a replica.
use super::*;
use std::fmt::Arguments;
use std::os::raw::{c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

/// The host. It lives as long as the library is used: keep it and copy it freely.
#[derive(Clone, Copy)]
pub struct Host(*const sluice_host);

// Every service is [any].
unsafe impl Send for Host {}
unsafe impl Sync for Host {}

impl Host {
    pub(super) fn of(host: *const sluice_host) -> Host {
        Host(host)
    }
    pub fn info(self, message: Arguments) {
        self.log(SLUICE_LOG_INFO, message);
    }
    pub fn warn(self, message: Arguments) {
        self.log(SLUICE_LOG_WARNING, message);
    }

    fn log(self, level: u32, message: Arguments) {
        unsafe {
            let log = ((*self.0).get)(self.0, b"sluice.log/1\0".as_ptr() as *const c_char)
                as *const sluice_log;
            if let Some(log) = log.as_ref().filter(|log| (log.level)(self.0) <= level) {
                let text = error::Text::<1024>::of(message);
                let bytes = text.bytes();
                (log.write)(
                    self.0,
                    level,
                    sluice_text {
                        ptr: bytes.as_ptr() as *const c_char,
                        len: bytes.len() as u64,
                    },
                );
            }
        }
    }
}

/// The threads of one replica.
#[derive(Clone, Copy)]
pub struct Threads(*const sluice_threads);

impl Threads {
    pub(super) fn of(threads: *const sluice_threads) -> Threads {
        Threads(threads)
    }

    /// Splits `all` into pieces of at least `grain` elements and calls body(first, piece) for each, on several threads;
    /// `first` is the index of the piece's first element in `all`.
    pub fn for_pieces<T: Send>(
        self,
        all: &mut [T],
        grain: usize,
        body: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<()> {
        let start = Shared(all.as_mut_ptr());
        self.for_ranges(all.len(), grain, |begin, end| {
            // Ranges do not overlap.
            let piece =
                unsafe { std::slice::from_raw_parts_mut(start.get().add(begin), end - begin) };
            body(begin, piece);
        })
    }

    /// Splits [0, count) into ranges of at least `grain` elements and calls body(begin, end) for each, on several
    /// threads.
    pub fn for_ranges<Body: Fn(usize, usize) + Sync>(
        self,
        count: usize,
        grain: usize,
        body: Body,
    ) -> Result<()> {
        struct Call<Body> {
            body: Body,
            panicked: AtomicBool,
        }
        unsafe extern "C" fn run<Body: Fn(usize, usize)>(
            context: *mut c_void,
            begin: i64,
            end: i64,
            _: u32,
        ) {
            let call = &*(context as *const Call<Body>);
            let done = line::sheltered(false, || {
                (call.body)(begin as usize, end as usize);
                true
            });
            if !done {
                call.panicked.store(true, Ordering::Relaxed);
            }
        }
        let call = Call {
            body,
            panicked: AtomicBool::new(false),
        };
        let context = &call as *const Call<Body> as *mut c_void;
        unsafe {
            match self.0.as_ref() {
                Some(threads) => (threads.parallel_for)(
                    threads,
                    count as i64,
                    grain as i64,
                    run::<Body>,
                    context,
                ),
                None if count > 0 => run::<Body>(context, 0, count as i64, 0),
                None => (),
            }
        }
        if call.panicked.load(Ordering::Relaxed) {
            fail!(SLUICE_FAILED, "the work of a thread panicked");
        }
        Ok(())
    }
}

/// A pointer that several threads use, each for its own part.
pub(super) struct Shared<T>(*mut T);
unsafe impl<T: Send> Sync for Shared<T> {}
impl<T> Shared<T> {
    pub fn of(pointer: *mut T) -> Shared<T> {
        Shared(pointer)
    }
    pub fn get(&self) -> *mut T {
        self.0
    }
}
impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(self.0)
    }
}
impl<T> Copy for Shared<T> {}
