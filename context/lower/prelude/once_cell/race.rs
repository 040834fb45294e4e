//! Cells of which the first thread that computes a value decides the content.

use std::num::NonZeroUsize;

use crate::cells::OnceCell;

macro_rules! cells {
    ($($Cell:ident: $T:ty;)*) => {$(
        #[derive(Default)]
        pub struct $Cell {
            cell: OnceCell<$T>,
        }

        impl $Cell {
            pub const fn new() -> $Cell {
                $Cell { cell: OnceCell::new() }
            }

            pub fn get(&self) -> Option<$T> {
                self.cell.get().copied()
            }

            pub fn set(&self, value: $T) -> Result<(), ()> {
                self.cell.set(value).map_err(|_| ())
            }

            pub fn get_or_init<F: FnOnce() -> $T>(&self, f: F) -> $T {
                *self.cell.get_or_init(f)
            }

            pub fn get_or_try_init<F: FnOnce() -> Result<$T, E>, E>(&self, f: F) -> Result<$T, E> {
                self.cell.get_or_try_init(f).copied()
            }
        }
    )*};
}

cells! {
    OnceNonZeroUsize: NonZeroUsize;
    OnceBool: bool;
}

pub struct OnceRef<'a, T> {
    cell: OnceCell<&'a T>,
}

impl<'a, T> OnceRef<'a, T> {
    pub const fn new() -> OnceRef<'a, T> {
        OnceRef { cell: OnceCell::new() }
    }

    pub fn get(&self) -> Option<&'a T> {
        self.cell.get().copied()
    }

    pub fn set(&self, value: &'a T) -> Result<(), ()> {
        self.cell.set(value).map_err(|_| ())
    }

    pub fn get_or_init<F: FnOnce() -> &'a T>(&self, f: F) -> &'a T {
        *self.cell.get_or_init(f)
    }

    pub fn get_or_try_init<F: FnOnce() -> Result<&'a T, E>, E>(&self, f: F) -> Result<&'a T, E> {
        self.cell.get_or_try_init(f).copied()
    }
}

pub struct OnceBox<T> {
    cell: OnceCell<Box<T>>,
}

impl<T> OnceBox<T> {
    pub const fn new() -> OnceBox<T> {
        OnceBox { cell: OnceCell::new() }
    }

    pub fn with_value(value: Box<T>) -> OnceBox<T> {
        OnceBox { cell: OnceCell::with_value(value) }
    }

    pub fn get(&self) -> Option<&T> {
        self.cell.get().map(|value| &**value)
    }

    pub fn set(&self, value: Box<T>) -> Result<(), Box<T>> {
        self.cell.set(value)
    }

    pub fn get_or_init<F: FnOnce() -> Box<T>>(&self, f: F) -> &T {
        self.cell.get_or_init(f)
    }

    pub fn get_or_try_init<F: FnOnce() -> Result<Box<T>, E>, E>(&self, f: F) -> Result<&T, E> {
        self.cell.get_or_try_init(f).map(|value| &**value)
    }
}

impl<T> Default for OnceBox<T> {
    fn default() -> OnceBox<T> {
        OnceBox::new()
    }
}
