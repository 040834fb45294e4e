//! How requests interrupt the program while it runs.
//!
//! - LISTEN1 a separate thread reads messages; they wait in a queue, and interrupt the run.

use std::io::BufRead;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};

use crate::message::{Incoming, receive};

/// The shared state through which requests interrupt a run.
#[derive(Default)]
pub(crate) struct Listening {
    /// The flag that interrupts the run.
    interrupter: Mutex<Option<Arc<AtomicBool>>>,
    /// Whether each request interrupts it, or only those that end it.
    pub(crate) to_all: AtomicBool,
    /// The number of requests in the queue that end it.
    pub(crate) ends: AtomicUsize,
}

impl Listening {
    /// Interrupts the run.
    pub(crate) fn interrupt(&self) {
        let interrupter = self.interrupter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupter) = &*interrupter {
            interrupter.store(true, Ordering::SeqCst);
        }
    }

    /// Clears interruptions by requests that have been answered: the next run begins without them.
    pub(crate) fn forget_old(&self) {
        let interrupter = self.interrupter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interrupter) = &*interrupter {
            interrupter.store(false, Ordering::SeqCst);
            // In this order: a request that arrives between the two operations sets the flag itself.
            if self.ends.load(Ordering::SeqCst) > 0 {
                interrupter.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Sets the flag that interrupts the run.
    pub(crate) fn set(&self, interrupter: Arc<AtomicBool>) {
        *self.interrupter.lock().unwrap_or_else(PoisonError::into_inner) = Some(interrupter);
    }
}

/// Reads messages until the client is gone, or no more may be read.
pub(crate) fn read(from: &mut impl BufRead, queue: &SyncSender<Incoming>, listening: &Listening) {
    loop {
        let message = receive(from);
        let is_last = match &message {
            Incoming::Request(request) => request.command == "disconnect",
            Incoming::Malformed(..) => false,
            Incoming::Ignored => continue,
            Incoming::End | Incoming::Broken(_) => true,
        };
        let ends_runs = ends_runs(&message);
        if ends_runs {
            listening.ends.fetch_add(1, Ordering::SeqCst);
        }
        let sent = match queue.try_send(message) {
            // The messages behind it may end the run.
            Err(TrySendError::Full(message)) => {
                listening.interrupt();
                queue.send(message).is_ok()
            }
            sent => sent.is_ok(),
        };
        if ends_runs || listening.to_all.load(Ordering::SeqCst) {
            listening.interrupt();
        }
        if is_last || !sent {
            return;
        }
    }
}

/// Whether a message ends a run.
pub(crate) fn ends_runs(message: &Incoming) -> bool {
    match message {
        Incoming::Request(request) => {
            matches!(request.command.as_str(), "pause" | "terminate" | "disconnect")
        }
        Incoming::Malformed(..) | Incoming::Ignored => false,
        Incoming::End | Incoming::Broken(_) => true,
    }
}
