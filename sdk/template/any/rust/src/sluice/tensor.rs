//! Shapes, element types, and tensors that the host lends.
use super::*;
use std::cell::Cell;
use std::os::raw::c_void;

/// Numbers that a tensor can hold.
///
/// # Safety
/// Every pattern of bits is a value, and DTYPE is its layout.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    const DTYPE: sluice_dtype;
}

pub const FLOAT32: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_FLOAT,
    bits: 32,
    lanes: 1,
};
pub const FLOAT64: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_FLOAT,
    bits: 64,
    lanes: 1,
};
pub const FLOAT16: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_FLOAT,
    bits: 16,
    lanes: 1,
};
pub const BFLOAT16: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_BFLOAT,
    bits: 16,
    lanes: 1,
};
pub const UINT8: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_UINT,
    bits: 8,
    lanes: 1,
};
pub const INT32: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_INT,
    bits: 32,
    lanes: 1,
};
pub const INT64: sluice_dtype = sluice_dtype {
    code: SLUICE_CODE_INT,
    bits: 64,
    lanes: 1,
};

unsafe impl Element for f32 {
    const DTYPE: sluice_dtype = FLOAT32;
}
unsafe impl Element for f64 {
    const DTYPE: sluice_dtype = FLOAT64;
}
unsafe impl Element for u8 {
    const DTYPE: sluice_dtype = UINT8;
}
unsafe impl Element for i32 {
    const DTYPE: sluice_dtype = INT32;
}
unsafe impl Element for i64 {
    const DTYPE: sluice_dtype = INT64;
}

impl sluice_tensor_spec {
    /// -1: an extent that differs from sample to sample.
    pub fn new(dtype: sluice_dtype, extents: &[i64]) -> sluice_tensor_spec {
        let mut spec = sluice_tensor_spec {
            dtype,
            rank: extents.len() as i32,
            ..Default::default()
        };
        spec.shape[..extents.len()].copy_from_slice(extents);
        spec
    }
    pub fn extents(&self) -> &[i64] {
        &self.shape[..self.rank as usize]
    }
    /// Number of elements of a shape without -1.
    pub fn count(&self) -> usize {
        self.extents().iter().product::<i64>() as usize
    }
}

/// Records which indices were lent: each is lent once, so that memory that is written has one owner.
#[derive(Default)]
pub(super) struct Given(Cell<u64>);

impl Given {
    pub fn take(&self, number: usize) {
        assert!(
            number < 64 && self.0.get() >> number & 1 == 0,
            "number {} is asked for twice",
            number
        );
        self.0.set(self.0.get() | 1 << number);
    }
}

/// Fields of a sample, or of a whole batch; lent until the call returns.
pub struct Fields<'a> {
    tensors: &'a [sluice_tensor],
    given: Given,
}

impl<'a> Fields<'a> {
    pub(super) unsafe fn of(first: *const sluice_tensor, count: u32) -> Fields<'a> {
        Fields {
            tensors: line::lent(first, count.into()),
            given: Given::default(),
        }
    }
    pub fn extents(&self, field: usize) -> &'a [i64] {
        let tensor = &self.tensors[field];
        unsafe { line::lent(tensor.shape, tensor.rank as u64) }
    }
    pub fn elements<T: Element>(&self, field: usize) -> Result<&'a [T]> {
        Ok(unsafe { line::lent(self.first::<T>(field)?, self.count(field) as u64) })
    }
    /// Lends a field of a batch that describe() reported.
    pub(super) unsafe fn elements_mut<T: Element>(&self, field: usize) -> Result<&'a mut [T]> {
        self.given.take(field);
        Ok(std::slice::from_raw_parts_mut(
            self.first::<T>(field)?,
            self.count(field),
        ))
    }

    fn count(&self, field: usize) -> usize {
        self.extents(field).iter().product::<i64>() as usize
    }
    fn first<T: Element>(&self, field: usize) -> Result<*mut T> {
        let tensor = &self.tensors[field];
        if tensor.dtype != T::DTYPE {
            fail!(
                SLUICE_INVALID,
                "field {} is of another element type than the plugin's code reads",
                field
            );
        }
        Ok(unsafe { (tensor.data as *mut u8).add(tensor.byte_offset as usize) as *mut T })
    }
}

/// Draws uniform random numbers from a key: draw number n is always the same.
pub struct Draws {
    key: sluice_random_key,
    block: u64,
    words: [u32; 4],
    next: usize,
}

impl Draws {
    pub fn new(key: sluice_random_key) -> Draws {
        Draws {
            key,
            block: 0,
            words: [0; 4],
            next: 4,
        }
    }
    pub fn word(&mut self) -> u32 {
        if self.next == 4 {
            self.words = philox(&self.key, self.block);
            self.block += 1;
            self.next = 0;
        }
        self.next += 1;
        self.words[self.next - 1]
    }
    /// In [0, 1).
    pub fn uniform(&mut self) -> f32 {
        (self.word() >> 8) as f32 / 16777216.0
    }
    /// In [0, n); n is at most 2^32.
    pub fn below(&mut self, n: u64) -> u64 {
        (u64::from(self.word()) * n) >> 32
    }
}

/// `sluice_philox` of sluice/random.h.
pub fn philox(key: &sluice_random_key, block: u64) -> [u32; 4] {
    let mixed = key.seed ^ key.stream.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut k = [mixed as u32, (mixed >> 32) as u32];
    let mut c = [
        block as u32,
        (block >> 32) as u32,
        key.counter as u32,
        (key.counter >> 32) as u32,
    ];
    for _ in 0..10 {
        let p = 0xD251_1F53 * u64::from(c[0]);
        let q = 0xCD9E_8D57 * u64::from(c[2]);
        c = [
            (q >> 32) as u32 ^ c[1] ^ k[0],
            q as u32,
            (p >> 32) as u32 ^ c[3] ^ k[1],
            p as u32,
        ];
        k = [
            k[0].wrapping_add(0x9E37_79B9),
            k[1].wrapping_add(0xBB67_AE85),
        ];
    }
    c
}
