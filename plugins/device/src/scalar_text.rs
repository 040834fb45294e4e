//! The text of kernels of scalars, in OpenCL C that is CUDA C++, too.

use overdub_export::Export;
use overdub_lanes::{inlined, opencl};
use overdub_spmd::DeviceError;

use crate::launch::{Memory, unsupported};

/// The text of the kernel of an exported function, and the memory that it takes.
pub(crate) fn scalar_text(export: &Export<'_>, name: &str) -> Result<(String, Memory), DeviceError> {
    let func = export.named(name).map_err(|error| unsupported(&error))?;
    let whole = inlined(&export.engine().module(), &func);
    let kernel = opencl::kernel(&whole).map_err(|error| {
        let place = if error.span.is_known() { format!(", at {}", error.span) } else { String::new() };
        DeviceError::Unsupported(format!("{}{place}", error.reason.in_kernel()))
    })?;
    let memory = match kernel.own_lists {
        _ if kernel.has_tapes => Memory::Unknown,
        0 => Memory::Nothing,
        lists => Memory::Lists(lists),
    };
    Ok((kernel.text, memory))
}
