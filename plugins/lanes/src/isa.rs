//! The run of a program by an instruction set of the machine: all of it is compiled for each.

use overdub_passes::InstructionSet;

use crate::run::{Run, Stopped};

/// Runs all elements by instructions that the machine has.
pub(crate) fn execute(
    run: &mut Run<'_, '_>,
    set: InstructionSet,
    is_interrupted: &mut dyn FnMut(usize) -> bool,
) -> Result<(), Stopped> {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(run: &mut Run<'_, '_>, is_interrupted: &mut dyn FnMut(usize) -> bool) -> Result<(), Stopped> {
        run.execute(is_interrupted)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
    fn avx512(run: &mut Run<'_, '_>, is_interrupted: &mut dyn FnMut(usize) -> bool) -> Result<(), Stopped> {
        run.execute(is_interrupted)
    }
    match set {
        InstructionSet::Baseline => run.execute(is_interrupted),
        // SAFETY: the machine has the instructions.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        InstructionSet::Avx2 => unsafe { avx2(run, is_interrupted) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        InstructionSet::Avx512 => unsafe { avx512(run, is_interrupted) },
    }
}
