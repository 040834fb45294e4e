//! The arguments of calls as columns, as kernels read them.

use std::sync::Arc;

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};
use overdub_export::packed::{Lists, fixed_bytes, pack, pack_each};
use overdub_spmd::{DeviceCalls, DeviceError};

use crate::launch::{Backend, Column, Data};
use crate::parts::in_parts;
use crate::stored::StoredList;

/// Values that a kernel takes after the arguments of a call, made from these.
pub(crate) type More<'m> = dyn Fn(usize, &[Value<'_>]) -> Option<Vec<Value<'static>>> + Sync + 'm;

/// The arguments of a kernel's calls.
pub(crate) struct Args<'c, B: Backend> {
    calls: &'c DeviceCalls<'c>,
    /// The types of the kernel's parameters: those of the function, and more.
    tys: Vec<Ty>,
    more: Option<&'c More<'c>>,
    /// For each parameter, the list of the device that has its arguments.
    stored: Vec<Option<Arc<StoredList<B>>>>,
    /// The columns that all calls share.
    shared: Vec<Option<Vec<u8>>>,
    /// The bytes that the arguments of the first call take in its launch.
    pub(crate) bytes: usize,
}

impl<'c, B: Backend> Args<'c, B> {
    pub(crate) fn new(
        backend: &Arc<B>,
        calls: &'c DeviceCalls<'c>,
        tys: Vec<Ty>,
        more: Option<&'c More<'c>>,
    ) -> Result<Args<'c, B>, DeviceError> {
        let mut stored: Vec<_> = calls
            .stored
            .iter()
            .zip(&calls.params)
            .zip(&calls.mapped)
            .map(|((list, ty), mapped)| {
                let list = StoredList::of(list.as_ref()?, backend)?;
                list.fits(*ty, *mapped, calls.len).then_some(list)
            })
            .collect();
        // Others stand in for all arguments that some device has.
        let all_are_here =
            calls.stored.iter().zip(&stored).all(|(list, here)| list.is_none() || here.is_some());
        if more.is_some() || !all_are_here {
            stored.fill_with(|| None);
        }
        stored.resize_with(tys.len(), || None);
        let mut args = Args { calls, tys, more, stored, shared: Vec::new(), bytes: 0 };
        let mut found = Ok(Vec::new());
        let mut bytes = 0;
        let is_given = args.read(0, &mut |values| {
            let columns = values.iter().zip(&args.tys).enumerate().map(|(at, (arg, ty))| {
                if args.stored[at].is_some() {
                    return Ok(None);
                }
                let mut data = Vec::new();
                pack(arg, *ty, Lists::Inline, &mut data).ok_or_else(|| no_form(*ty))?;
                bytes += data.len();
                Ok((calls.mapped.get(at) == Some(&false)).then_some(data))
            });
            found = columns.collect();
        });
        let shared = found?;
        if !is_given || shared.len() != args.tys.len() {
            return Err(unreadable());
        }
        (args.shared, args.bytes) = (shared, bytes);
        Ok(args)
    }

    /// Lends the arguments of a call; whether there are such.
    fn read(&self, call: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
        let Some(more) = self.more else { return self.lend(call, read) };
        let mut is_given = false;
        self.lend(call, &mut |args| {
            if let Some(more) = more(call, args) {
                let all: Vec<Value<'_>> = args.iter().cloned().chain(more).collect();
                read(&all);
                is_given = true;
            }
        }) && is_given
    }

    fn lend(&self, call: usize, read: &mut dyn FnMut(&[Value<'_>])) -> bool {
        match self.stored.iter().any(Option::is_some) {
            true => self.calls.unstored_args(call, read),
            false => self.calls.args(call, read),
        }
    }

    /// Whether each call has an argument of its own that is sent.
    fn is_sent(&self, at: usize) -> bool {
        self.shared[at].is_none() && self.stored[at].is_none()
    }

    /// The columns of a batch of calls.
    pub(crate) fn columns(&self, batch: &[usize]) -> Result<Vec<Column<B::Buffer>>, DeviceError> {
        let sent: Vec<bool> = (0..self.tys.len()).map(|at| self.is_sent(at)).collect();
        let mut packed = if sent.contains(&true) {
            match self.packed_lists(batch, &sent) {
                Some(packed) => packed,
                None => self.packed(batch)?,
            }
        } else {
            sent.iter().map(|_| Packed::default()).collect()
        };
        let columns =
            self.shared.iter().zip(&self.stored).zip(&mut packed).map(|((shared, stored), sent)| {
                match (shared, stored) {
                    (Some(data), _) => {
                        Column { data: Data::Host(data.clone()), begin: 0, offsets: Vec::new(), stride: 0 }
                    }
                    (_, Some(list)) => list.column(batch),
                    _ => std::mem::take(sent).column(),
                }
            });
        let mut columns: Vec<_> = columns.collect();
        for (at, column) in columns.iter_mut().enumerate() {
            if let Some(list) = &self.stored[at]
                && self.calls.mapped.get(at) == Some(&false)
            {
                *column = list.shared();
            }
        }
        Ok(columns)
    }

    /// The packed arguments of consecutive calls that all are scalars.
    fn packed_lists(&self, batch: &[usize], sent: &[bool]) -> Option<Vec<Packed>> {
        let (first, last) = (*batch.first()?, *batch.last()?);
        let strides = self.tys.iter().map(|ty| fixed_bytes(*ty));
        let strides: Vec<usize> = strides
            .zip(sent)
            .map(|(bytes, sent)| if *sent { bytes } else { Some(0) })
            .collect::<Option<_>>()?;
        // Others stand in for what another device has.
        let is_elsewhere =
            self.calls.stored.iter().any(Option::is_some) && self.stored.iter().all(Option::is_none);
        if self.more.is_some() || is_elsewhere || last - first + 1 != batch.len() || !batch.is_sorted() {
            return None;
        }
        let parts = in_parts(batch.len(), |range| {
            let mut packed: Option<Vec<Packed>> = None;
            self.calls.unstored_lists(first + range.start..first + range.end, sent, &mut |lists| {
                let mut lists = lists.iter();
                let columns =
                    self.tys.iter().zip(sent).zip(&strides).map(|((ty, sent), stride)| match sent {
                        true => {
                            let list: &Array<'_> = lists.next()?;
                            let mut data = Vec::with_capacity(range.len() * stride);
                            (list.elem_ty() == *ty && list.len() == range.len()).then_some(())?;
                            pack_each(list, *ty, &mut data)?;
                            Some(Packed { data, offsets: Vec::new(), stride: *stride as u64 })
                        }
                        false => Some(Packed::default()),
                    });
                packed = columns.collect();
            });
            packed
        });
        let mut parts = parts.into_iter();
        let mut all = parts.next()??;
        for part in parts {
            all.iter_mut().zip(part?).for_each(|(all, part)| all.data.extend(part.data));
        }
        Some(all)
    }

    /// The packed arguments of calls, one by one.
    fn packed(&self, batch: &[usize]) -> Result<Vec<Packed>, DeviceError> {
        let parts = in_parts(batch.len(), |range| {
            let mut columns: Vec<Packed> = self.tys.iter().map(|_| Packed::default()).collect();
            let mut fault = None;
            for &call in &batch[range] {
                let is_given = self.read(call, &mut |args| {
                    let parts = args.iter().zip(&self.tys).zip(&mut columns).enumerate();
                    for (_, ((arg, ty), column)) in parts.filter(|(at, _)| self.is_sent(*at)) {
                        column.offsets.push(column.data.len() as u64);
                        if pack(arg, *ty, Lists::Inline, &mut column.data).is_none() {
                            fault = Some(no_form(*ty));
                        }
                    }
                });
                if !is_given {
                    fault = Some(unreadable());
                }
            }
            fault.map_or(Ok(columns), Err)
        });
        let mut all: Vec<Packed> = self.tys.iter().map(|_| Packed::default()).collect();
        for part in parts {
            for (all, part) in all.iter_mut().zip(part?) {
                let begin = all.data.len() as u64;
                all.data.extend(part.data);
                all.offsets.extend(part.offsets.into_iter().map(|offset| begin + offset));
            }
        }
        all.iter_mut().for_each(Packed::find_stride);
        Ok(all)
    }
}

/// The arguments of calls in their packed form.
#[derive(Default)]
struct Packed {
    data: Vec<u8>,
    offsets: Vec<u64>,
    stride: u64,
}

impl Packed {
    /// Replaces offsets by the distance at which the arguments follow each other, if there is one.
    fn find_stride(&mut self) {
        let stride = self.offsets.get(1).copied().unwrap_or(self.data.len() as u64);
        if self.offsets.iter().zip(0_u64..).all(|(offset, number)| *offset == number * stride) {
            self.offsets.clear();
            self.stride = stride;
        }
    }

    fn column<B>(self) -> Column<B> {
        Column { data: Data::Host(self.data), begin: 0, offsets: self.offsets, stride: self.stride }
    }
}

fn no_form(ty: Ty) -> DeviceError {
    DeviceError::Unsupported(format!("an argument of type `{}` cannot be copied to the device", ty.in_rust()))
}

fn unreadable() -> DeviceError {
    DeviceError::Unsupported("its arguments cannot be read".to_owned())
}
