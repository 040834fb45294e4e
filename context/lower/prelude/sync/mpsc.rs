//! Channels: a queue in a cell.

use crate::cell::RefCell;
use crate::collections::VecDeque;
use crate::fmt;
use crate::rc::Rc;

pub struct Sender<T> {
    queue: Rc<RefCell<VecDeque<T>>>,
}

pub use Sender as SyncSender;

pub struct Receiver<T> {
    queue: Rc<RefCell<VecDeque<T>>>,
}

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let queue = Rc::new(RefCell::new(VecDeque::new()));
    (Sender { queue: queue.clone() }, Receiver { queue })
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
        Sender { queue: self.queue.clone() }
    }
}

impl<T> Sender<T> {
    pub fn send(&self, t: T) -> Result<(), SendError<T>> {
        self.queue.borrow_mut().push_back(t);
        Ok(())
    }
}

impl<T> Receiver<T> {
    /// Every thread has run to its end: an empty queue stays empty.
    pub fn recv(&self) -> Result<T, RecvError> {
        self.queue.borrow_mut().pop_front().ok_or(RecvError)
    }

    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.queue.borrow_mut().pop_front().ok_or(TryRecvError::Disconnected)
    }

    pub fn iter(&self) -> crate::vec::IntoIter<T> {
        self.queue.borrow_mut().drain(..)
    }

    pub fn try_iter(&self) -> crate::vec::IntoIter<T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = crate::vec::IntoIter<T>;

    fn into_iter(self) -> crate::vec::IntoIter<T> {
        self.iter()
    }
}

impl<T> IntoIterator for &Receiver<T> {
    type Item = T;
    type IntoIter = crate::vec::IntoIter<T>;

    fn into_iter(self) -> crate::vec::IntoIter<T> {
        self.iter()
    }
}
