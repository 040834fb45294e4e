//! A value that writes its number into a log when it goes.

use std::cell::Cell;

pub type Log = Cell<f64>;

pub struct Noisy<'a> {
    pub log: &'a Log,
    pub id: f64,
}

impl<'a> Noisy<'a> {
    pub fn new(log: &'a Log, id: f64) -> Noisy<'a> {
        Noisy { log, id }
    }
    pub fn id(&self) -> f64 {
        self.id
    }
    pub fn consume(self) -> f64 {
        self.id * 2.0
    }
}

impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.log.set((self.log.get() * 7.0 + self.id) % 1000003.0);
    }
}

pub fn note(log: &Log, n: f64) {
    log.set((log.get() * 7.0 + n) % 1000003.0);
}

pub fn logged(run: impl Fn(&Log) -> f64) -> f64 {
    let log = Cell::new(0.0);
    let result = run(&log);
    note(&log, result);
    log.get()
}
