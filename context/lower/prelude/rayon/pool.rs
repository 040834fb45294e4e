//! Pools and scopes: what is spawned runs at once. Pools know the number of threads that was asked for.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of threads of the pool in which the program is.
static THREADS: AtomicUsize = AtomicUsize::new(1);

static HAS_GLOBAL_POOL: AtomicBool = AtomicBool::new(false);

pub fn current_num_threads() -> usize {
    THREADS.load(Ordering::Relaxed)
}

pub fn max_num_threads() -> usize {
    (1 << 16) - 1
}

pub fn current_thread_index() -> Option<usize> {
    None
}

pub fn spawn<F: FnOnce() + Send + 'static>(func: F) {
    func()
}

pub fn spawn_fifo<F: FnOnce() + Send + 'static>(func: F) {
    func()
}

/// A scope in which functions are spawned.
#[derive(Debug)]
pub struct Scope<'scope> {
    marker: std::marker::PhantomData<&'scope ()>,
}

impl<'scope> Scope<'scope> {
    pub fn spawn<B: FnOnce(&Scope<'scope>) + Send + 'scope>(&self, body: B) {
        body(self)
    }
}

pub fn scope<'scope, OP: FnOnce(&Scope<'scope>) -> R + Send, R: Send>(op: OP) -> R {
    op(&Scope { marker: std::marker::PhantomData })
}

pub fn in_place_scope<'scope, OP: FnOnce(&Scope<'scope>) -> R, R>(op: OP) -> R {
    op(&Scope { marker: std::marker::PhantomData })
}

/// A scope whose functions run in the order in which they were spawned.
#[derive(Debug)]
pub struct ScopeFifo<'scope> {
    marker: std::marker::PhantomData<&'scope ()>,
}

impl<'scope> ScopeFifo<'scope> {
    pub fn spawn_fifo<B: FnOnce(&ScopeFifo<'scope>) + Send + 'scope>(&self, body: B) {
        body(self)
    }
}

pub fn scope_fifo<'scope, OP: FnOnce(&ScopeFifo<'scope>) -> R + Send, R: Send>(op: OP) -> R {
    op(&ScopeFifo { marker: std::marker::PhantomData })
}

#[derive(Debug)]
pub struct ThreadPoolBuildError {}

impl fmt::Display for ThreadPoolBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The global thread pool has already been initialized.")
    }
}

impl std::error::Error for ThreadPoolBuildError {}

#[derive(Debug)]
pub struct ThreadPool {
    threads: usize,
}

impl ThreadPool {
    pub fn install<OP: FnOnce() -> R + Send, R: Send>(&self, op: OP) -> R {
        let outside = THREADS.swap(self.threads, Ordering::Relaxed);
        let result = op();
        THREADS.store(outside, Ordering::Relaxed);
        result
    }

    pub fn current_num_threads(&self) -> usize {
        self.threads
    }

    pub fn current_thread_index(&self) -> Option<usize> {
        None
    }

    pub fn join<A, B, RA, RB>(&self, oper_a: A, oper_b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.install(|| crate::join(oper_a, oper_b))
    }

    pub fn scope<'scope, OP: FnOnce(&Scope<'scope>) -> R + Send, R: Send>(&self, op: OP) -> R {
        self.install(|| scope(op))
    }

    pub fn spawn<OP: FnOnce() + Send + 'static>(&self, op: OP) {
        self.install(op)
    }
}

/// The settings of a pool, of which the number of threads is remembered.
#[derive(Debug, Default)]
pub struct ThreadPoolBuilder {
    threads: usize,
}

impl ThreadPoolBuilder {
    pub fn new() -> ThreadPoolBuilder {
        ThreadPoolBuilder { threads: 0 }
    }

    pub fn num_threads(self, num_threads: usize) -> ThreadPoolBuilder {
        ThreadPoolBuilder { threads: num_threads }
    }

    pub fn thread_name<F: FnMut(usize) -> String + 'static>(self, _closure: F) -> ThreadPoolBuilder {
        self
    }

    pub fn stack_size(self, _stack_size: usize) -> ThreadPoolBuilder {
        self
    }

    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        Ok(ThreadPool { threads: self.threads.max(1) })
    }

    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        if HAS_GLOBAL_POOL.swap(true, Ordering::Relaxed) {
            return Err(ThreadPoolBuildError {});
        }
        THREADS.store(self.threads.max(1), Ordering::Relaxed);
        Ok(())
    }
}
