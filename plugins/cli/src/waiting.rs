//! A sign of life on a terminal while something takes long: a spinner, or a bar if the end is known.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt::{self, Drawn};

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

/// A bar on the terminal for work on many elements; it is drawn once that takes more than a second.
pub(crate) struct Bar {
    what: &'static str,
    begin: Instant,
    drawn: Option<(ProgressBar, Drawn)>,
}

impl Bar {
    pub(crate) fn new(what: &'static str) -> Bar {
        Bar { what, begin: Instant::now(), drawn: None }
    }

    /// Shows how many of the elements are done.
    pub(crate) fn show(&mut self, done: usize, len: usize) {
        if self.drawn.is_none() && self.begin.elapsed() > DELAY && std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{msg} {bar:40} {pos}/{len}, {prefix}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(len as u64).with_style(style).with_message(self.what);
            self.drawn = Some((bar.clone(), interrupt::drawn(bar)));
        }
        if let Some((bar, _)) = &self.drawn {
            let rate = self.rate(done);
            bar.set_prefix(format!(
                "{rate:.0} per second, {:.0} s left",
                (len - done.min(len)) as f64 / rate
            ));
            bar.set_position(done as u64);
        }
    }

    /// Clears the bar, and says what took how long if it was drawn.
    pub(crate) fn finish(&mut self, len: usize) {
        if self.drawn.take().is_some() {
            let seconds = self.begin.elapsed().as_secs_f64();
            let line = format!("{len} elements in {seconds:.1} s, {:.0} per second", self.rate(len));
            // A closed terminal is ignored.
            drop(writeln!(std::io::stderr(), "{line}"));
        }
    }

    /// The number of elements per second since the beginning.
    fn rate(&self, done: usize) -> f64 {
        done as f64 / self.begin.elapsed().as_secs_f64()
    }
}
