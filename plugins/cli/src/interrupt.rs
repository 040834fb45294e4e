//! Ctrl-C and closed pipes: how the command ends early.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;

/// The exit status of a command that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// The progress bar that is drawn on the terminal.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The flag that Ctrl-C sets instead of ending the process.
static PAUSED: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// Lets Ctrl-C set a flag as long as the result lives. If the flag is still set at the next Ctrl-C, the
/// process ends.
pub(crate) fn pausing(flag: Arc<AtomicBool>) -> Pausing {
    *PAUSED.lock().unwrap_or_else(PoisonError::into_inner) = Some(flag);
    Pausing(())
}

/// A guard: while it lives, Ctrl-C sets a flag.
pub(crate) struct Pausing(());

impl Drop for Pausing {
    fn drop(&mut self) {
        PAUSED.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Lets Ctrl-C end the process: the first one restores the terminal, the second one does not wait for that.
///
/// The program need not cooperate: the process also ends inside machine code, and while compiling or reading
/// sources.
pub fn end_on_ctrl_c() {
    static REQUESTED: AtomicBool = AtomicBool::new(false);
    let end = || std::process::exit(INTERRUPTED.into());
    let handler = move || {
        if let Some(flag) = &*PAUSED.lock().unwrap_or_else(PoisonError::into_inner)
            && !flag.swap(true, Ordering::AcqRel)
        {
            return;
        }
        if REQUESTED.swap(true, Ordering::AcqRel) {
            end();
        }
        // On a separate thread, since a terminal may block output.
        let cleaned = std::thread::Builder::new().spawn(move || {
            clean_terminal();
            end();
        });
        if cleaned.is_err() {
            end();
        }
    };
    // If the handler cannot be set, Ctrl-C ends the process by the system's default.
    drop(ctrlc::set_handler(handler));
}

/// Clears the progress bar, and shows the cursor.
fn clean_terminal() {
    if let Some(bar) = DRAWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
    let mut err = std::io::stderr();
    if err.is_terminal() {
        drop(err.write_all(b"\x1b[?25h").and_then(|()| err.flush()));
    }
}

/// Draws a progress bar as long as the result lives.
pub(crate) fn drawn(bar: ProgressBar) -> Drawn {
    *DRAWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
    Drawn(bar)
}

/// A progress bar that is cleared when it is dropped.
pub(crate) struct Drawn(ProgressBar);

impl Drawn {
    /// Advances by one.
    pub(crate) fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        DRAWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.0.finish_and_clear();
    }
}

/// Writes what the program prints; the process ends quietly if the output is closed.
pub(crate) fn print(text: &str) {
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    if written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        std::process::exit(0);
    }
}
