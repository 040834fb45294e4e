//! The instruction sets for which loops are compiled, of which the best one of the machine runs.

use std::sync::LazyLock;

/// An instruction set that loops are compiled for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InstructionSet {
    /// The baseline of the target.
    Baseline,
    /// 256-bit SIMD instructions.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit SIMD instructions.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// All instruction sets of this machine, the best last.
    pub fn all() -> Vec<InstructionSet> {
        let mut all = vec![InstructionSet::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(InstructionSet::Avx2);
                let has_512 = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                all.extend(has_512.then_some(InstructionSet::Avx512));
            }
        }
        all
    }

    /// The best instruction set of this machine.
    pub fn best() -> InstructionSet {
        static BEST: LazyLock<InstructionSet> =
            LazyLock::new(|| InstructionSet::all().pop().unwrap_or(InstructionSet::Baseline));
        *BEST
    }
}
