//! The allocator of the command, and how it returns memory where the user bounds it.

use overdub_cli::args::Command;

/// Uses huge pages for its memory, where the system has them on request: a command that lasts for milliseconds spends a quarter of
/// them on page faults otherwise.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What makes mimalloc return freed memory at once and take no huge pages, as it reads it before its first allocation:
/// <https://microsoft.github.io/mimalloc/environment.html>.
#[cfg(unix)]
const RETURNING: [(&str, &str); 2] = [("MIMALLOC_PURGE_DELAY", "0"), ("MIMALLOC_ALLOW_THP", "0")];

/// Starts this program anew with an allocator that returns freed memory at once, if the user bounds the memory of the command and
/// the environment does not say how the allocator should work. Otherwise, and where the program cannot be started, it returns.
///
/// Checkpointed sweeps free and take records again and again: 64 MB of them took 118 MB of the system, and so they take 62.
#[cfg(unix)]
pub(crate) fn return_freed_memory(command: &Command) {
    use std::os::unix::process::CommandExt;

    let is_set = RETURNING.iter().any(|(name, _)| std::env::var_os(name).is_some());
    if command.tape_memory().is_none() || is_set {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_else(|| program.clone().into());
    // It returns only if the program could not be started; then the allocator keeps more memory, which is no error.
    drop(std::process::Command::new(program).arg0(name).args(args).envs(RETURNING).exec());
}

/// Nothing: processes are not replaced here.
#[cfg(not(unix))]
pub(crate) fn return_freed_memory(_: &Command) {}
