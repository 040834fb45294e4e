//! The arguments of calls as columns, as kernels read them.

use overdub_context::ir::Ty;
use overdub_spmd::{DeviceCalls, DeviceError};

use crate::launch::Column;
use crate::packed::pack;
use crate::parts::in_parts;

/// The columns of the arguments that all calls share.
pub(crate) fn shared(calls: &DeviceCalls<'_>) -> Result<Vec<Option<Column>>, DeviceError> {
    let mut found = Ok(vec![None; calls.params.len()]);
    let given = calls.args(0, &mut |args| {
        found = args
            .iter()
            .zip(&calls.params)
            .zip(&calls.mapped)
            .map(|((arg, ty), mapped)| {
                if *mapped {
                    return Ok(None);
                }
                let mut data = Vec::new();
                pack(arg, *ty, &mut data).ok_or_else(|| no_form(*ty))?;
                Ok(Some(Column { data, offsets: Vec::new(), stride: 0 }))
            })
            .collect();
    });
    if given { found } else { Err(DeviceError::Unsupported("its arguments cannot be read".to_owned())) }
}

fn no_form(ty: Ty) -> DeviceError {
    DeviceError::Unsupported(format!("an argument of type `{ty}` cannot be copied to the device"))
}

/// The bytes of the arguments of the first call.
pub(crate) fn bytes_of_first(calls: &DeviceCalls<'_>) -> usize {
    let mut data = Vec::new();
    calls.args(0, &mut |args| {
        for (arg, ty) in args.iter().zip(&calls.params) {
            pack(arg, *ty, &mut data);
        }
    });
    data.len()
}

/// The columns of a batch of calls.
pub(crate) fn columns(
    calls: &DeviceCalls<'_>,
    shared: &[Option<Column>],
    batch: &[usize],
) -> Result<Vec<Column>, DeviceError> {
    let parts = in_parts(batch.len(), |range| {
        let mut columns = vec![Column::default(); calls.params.len()];
        let mut fault = None;
        for &call in &batch[range] {
            let is_given = calls.args(call, &mut |args| {
                for (((arg, ty), column), shared) in
                    args.iter().zip(&calls.params).zip(&mut columns).zip(shared)
                {
                    if shared.is_none() {
                        column.offsets.push(column.data.len() as u64);
                        if pack(arg, *ty, &mut column.data).is_none() {
                            fault = Some(no_form(*ty));
                        }
                    }
                }
            });
            if !is_given {
                fault = Some(DeviceError::Unsupported("its arguments cannot be read".to_owned()));
            }
        }
        fault.map_or(Ok(columns), Err)
    });
    let mut all: Vec<Column> = shared.iter().map(|column| column.clone().unwrap_or_default()).collect();
    for part in parts {
        for (column, part) in all.iter_mut().zip(part?) {
            let begin = column.data.len() as u64;
            column.data.extend(part.data);
            column.offsets.extend(part.offsets.into_iter().map(|offset| begin + offset));
        }
    }
    for column in &mut all {
        let stride = column.offsets.get(1).copied().unwrap_or(column.data.len() as u64);
        if column.offsets.iter().zip(0_u64..).all(|(offset, number)| *offset == number * stride)
            && !column.offsets.is_empty()
        {
            *column = Column { data: std::mem::take(&mut column.data), offsets: Vec::new(), stride };
        }
    }
    Ok(all)
}
