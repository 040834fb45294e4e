//! Channels: a queue in a cell, and the number of its senders.
//!
//! A thread runs to completion where it is spawned, so nothing arrives while another waits: waiting for a
//! message that may still come fails.

use crate::cell::{Cell, RefCell};
use crate::collections::VecDeque;
use crate::fmt;
use crate::rc::Rc;

#[lang("sender")]
pub struct Sender<T> {
    queue: Rc<RefCell<VecDeque<T>>>,
    senders: Rc<Cell<usize>>,
}

pub use Sender as SyncSender;

pub struct Receiver<T> {
    queue: Rc<RefCell<VecDeque<T>>>,
    senders: Rc<Cell<usize>>,
}

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let queue = Rc::new(RefCell::new(VecDeque::new()));
    let senders = Rc::new(Cell::new(1));
    (Sender { queue: queue.clone(), senders: senders.clone() }, Receiver { queue, senders })
}

pub fn sync_channel<T>(_bound: usize) -> (Sender<T>, Receiver<T>) {
    channel()
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SendError<T>(pub T);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecvError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryRecvError {
    Empty,
    Disconnected,
}

impl<T> fmt::Debug for SendError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendError { .. }")
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        self.senders.set(self.senders.get() + 1);
        Sender { queue: self.queue.clone(), senders: self.senders.clone() }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.senders.set(self.senders.get() - 1);
    }
}

impl<T> Sender<T> {
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        self.queue.borrow_mut().push_back(t);
        Ok(())
    }
}

impl<T> Receiver<T> {
    pub fn recv(&self) -> Result<T, RecvError> {
        match self.try_recv() {
            Ok(value) => Ok(value),
            Err(TryRecvError::Disconnected) => Err(RecvError),
            Err(TryRecvError::Empty) => {
                panic!("waits for ever: threads run one after the other here, and none that runs can send")
            }
        }
    }

    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        match self.queue.borrow_mut().pop_front() {
            Some(value) => Ok(value),
            None if self.senders.get() == 0 => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }

    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self }
    }

    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self }
    }
}

pub struct Iter<'a, T> {
    receiver: &'a Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

pub struct TryIter<'a, T> {
    receiver: &'a Receiver<T>,
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

pub struct IntoIter<T> {
    receiver: Receiver<T>,
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}
