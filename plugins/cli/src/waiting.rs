//! A sign of life on a terminal while something takes long.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt;

/// Work that is done faster is not announced.
const DELAY: Duration = Duration::from_secs(1);

/// Returns the result of `work`; if it takes more than a second, a spinner turns on the terminal.
pub(crate) fn shown<R>(what: &'static str, work: impl FnOnce() -> R) -> R {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, receiver) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if receiver.recv_timeout(DELAY) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(what);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            let _drawn = interrupt::drawn(bar);
            // The sender is dropped when the work is done.
            _ = receiver.recv();
        });
        let result = work();
        drop(done);
        result
    })
}
