//! Lists that stay on a device between mapped calls.

use std::fmt;
use std::sync::{Arc, OnceLock};

use overdub_context::value::{FromValue, IntoValue};

use crate::device::{Device, DeviceError, DeviceList};
use crate::inputs::{Fixed, Mapped, PerElement, Shared};

/// A list in a device's memory: mapped calls on that device read it there, and copy nothing.
///
/// It is an input like the list itself: `&xs` is mapped over, `Fixed(&xs)` is a slice that all elements share. Elsewhere than on
/// its device, a copy on the host is read, which is made once.
/// The documentation of `overdub-device` shows it in use.
pub struct Stored<T> {
    device: Arc<dyn Device>,
    list: DeviceList,
    len: usize,
    /// The first element, whose form tells what calls need.
    first: Option<T>,
    host: OnceLock<Vec<T>>,
}

impl<T> Stored<T> {
    /// Copies a list to a device.
    ///
    /// # Errors
    /// If its elements cannot lie there, or the device fails.
    pub fn new(device: &Arc<dyn Device>, list: Vec<T>) -> Result<Stored<T>, DeviceError>
    where
        T: Clone + IntoValue<'static>,
    {
        let stored = device.store(&T::vec_into_array(list.clone()))?;
        let (len, first) = (list.len(), list.first().cloned());
        Ok(Stored { device: device.clone(), list: stored, len, first, host: OnceLock::from(list) })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<T: FromValue> Stored<T> {
    /// What a device computed.
    pub(crate) fn of_list(
        device: &Arc<dyn Device>,
        list: DeviceList,
        len: usize,
    ) -> Result<Stored<T>, DeviceError> {
        let first = fetched(device.as_ref(), &list, len.min(1))?.pop();
        Ok(Stored { device: device.clone(), list, len, first, host: OnceLock::new() })
    }

    /// The elements, copied to the host if they were not before.
    ///
    /// # Errors
    /// If the device fails.
    pub fn list(&self) -> Result<&[T], DeviceError> {
        if let Some(list) = self.host.get() {
            return Ok(list);
        }
        let list = fetched(self.device.as_ref(), &self.list, self.len)?;
        Ok(self.host.get_or_init(|| list))
    }

    /// An element on the host.
    ///
    /// # Panics
    /// If the device fails: [`PerElement::fetch`] finds that before.
    fn at(&self, element: usize) -> &T {
        match (element, &self.first) {
            (0, Some(first)) => first,
            _ => &self.list().unwrap_or_else(|error| panic!("{error}"))[element],
        }
    }
}

fn fetched<T: FromValue>(device: &dyn Device, list: &DeviceList, len: usize) -> Result<Vec<T>, DeviceError> {
    let lost = |what: String| DeviceError::Failed(format!("a list cannot be copied from it: {what}"));
    let found = device.fetch(list, 0..len)?.ok_or_else(|| lost("it is of another device".to_owned()))?;
    T::vec_from_array(found).map_err(|error| lost(error.to_string()))
}

/// Implements [`PerElement`] for references to stored lists.
macro_rules! stored {
    ($([$($bounds:tt)*] $elem:ty => $arg:ty, $this:ident $at:ident: $get:expr;)*) => {$(
        impl<'a, $($bounds)*> PerElement<$arg> for &'a Stored<$elem> {
            type Kind = Mapped;

            fn elements(&self) -> Option<usize> {
                Some(self.len)
            }

            fn at(&self, $at: usize) -> $arg {
                let $this = *self;
                $get
            }

            fn stored(&self) -> Option<DeviceList> {
                Some(self.list.clone())
            }

            fn stand_in(&self, _: usize) -> $arg {
                <Self as PerElement<$arg>>::at(self, 0)
            }

            fn fetch(&self) -> Result<(), DeviceError> {
                self.list().map(|_| ())
            }
        }
    )*};
}

stored! {
    [T: Copy + Send + Sync + FromValue] T => T, list at: *list.at(at);
    [T: Send + Sync + FromValue] T => &'a T, list at: list.at(at);
    [T: Send + Sync + FromValue] Vec<T> => &'a [T], list at: list.at(at).as_slice();
}

impl<'a, T: Send + Sync + FromValue> PerElement<&'a [T]> for Fixed<&'a Stored<T>> {
    type Kind = Shared;

    fn elements(&self) -> Option<usize> {
        None
    }

    fn at(&self, _: usize) -> &'a [T] {
        self.0.list().unwrap_or_else(|error| panic!("{error}"))
    }

    fn shared(&self) -> Option<&'a [T]> {
        self.0.list().ok()
    }

    fn stored(&self) -> Option<DeviceList> {
        Some(self.0.list.clone())
    }

    fn stand_in(&self, _: usize) -> &'a [T] {
        &[]
    }

    fn fetch(&self) -> Result<(), DeviceError> {
        self.0.list().map(|_| ())
    }
}

impl<T: fmt::Debug> fmt::Debug for Stored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored")
            .field("len", &self.len)
            .field("host", &self.host.get())
            .finish_non_exhaustive()
    }
}
