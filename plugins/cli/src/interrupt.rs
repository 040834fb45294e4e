//! Ctrl-C and closed pipes: how the command ends before it is done.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;

/// The exit status of a command that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// What is drawn on the terminal.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// What Ctrl-C sets in the place of ending the process.
static PAUSED: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// Lets Ctrl-C set a flag as long as the result lives. Where the flag is still set at the next one, the process ends.
pub(crate) fn pausing(flag: Arc<AtomicBool>) -> Pausing {
    *PAUSED.lock().unwrap_or_else(PoisonError::into_inner) = Some(flag);
    Pausing(())
}

/// Ctrl-C sets a flag.
pub(crate) struct Pausing(());

impl Drop for Pausing {
    fn drop(&mut self) {
        PAUSED.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Lets Ctrl-C end the process: the first one leaves a clean terminal behind, the second one does not wait for that.
///
/// The program is not asked: the process ends within machine code, within compiling or reading sources too.
pub fn end_on_ctrl_c() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let end = || std::process::exit(INTERRUPTED.into());
    let handler = move || {
        if let Some(flag) = &*PAUSED.lock().unwrap_or_else(PoisonError::into_inner)
            && !flag.swap(true, Ordering::AcqRel)
        {
            return;
        }
        if ASKED.swap(true, Ordering::AcqRel) {
            end();
        }
        // In a thread of its own, since a terminal may not take what is written to it.
        let cleaned = std::thread::Builder::new().spawn(move || {
            clean_terminal();
            end();
        });
        if cleaned.is_err() {
            end();
        }
    };
    // Where it cannot be set, Ctrl-C ends the process as the system does.
    drop(ctrlc::set_handler(handler));
}

/// Clears what is drawn, and shows the cursor.
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

/// A progress bar that is cleared at its end, whichever that is.
pub(crate) struct Drawn(ProgressBar);

impl Drawn {
    /// One more.
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

/// Writes what the program prints; the process ends quietly where nobody reads it any more.
pub(crate) fn print(text: &str) {
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    if written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        std::process::exit(0);
    }
}
