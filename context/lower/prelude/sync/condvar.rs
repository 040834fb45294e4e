//! Condition variables. A spawned thread has run to its end before anything waits, so nothing else can wake a waiter.

use crate::time::Duration;

use super::{LockResult, MutexGuard};

#[derive(Debug, Default)]
pub struct Condvar;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitTimeoutResult {
    has_timed_out: bool,
}

impl WaitTimeoutResult {
    pub fn timed_out(&self) -> bool {
        self.has_timed_out
    }
}

fn asleep() -> ! {
    crate::macros::fail("nothing can wake what waits here: a thread runs to its end where it is spawned")
}

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar
    }

    pub fn notify_one(&self) {}

    pub fn notify_all(&self) {}

    pub fn wait<'a, T>(&self, _guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        asleep()
    }

    pub fn wait_while<'a, T, F: FnMut(&mut T) -> bool>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>> {
        if condition(&mut *guard) {
            asleep();
        }
        Ok(guard)
    }

    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        _dur: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        Ok((guard, WaitTimeoutResult { has_timed_out: true }))
    }

    pub fn wait_timeout_while<'a, T, F: FnMut(&mut T) -> bool>(
        &self,
        mut guard: MutexGuard<'a, T>,
        _dur: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let has_timed_out = condition(&mut *guard);
        Ok((guard, WaitTimeoutResult { has_timed_out }))
    }
}
