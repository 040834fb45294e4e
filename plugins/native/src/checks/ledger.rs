//! The ledger of a run: the counted words that each frame of compiled code holds.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::access::Cache;
use super::counts::strong_count;
use super::quarantine::{Dead, Quarantine};
use super::{Holder, ON, Site, shared_holders};
use crate::abi::layout::Counted;
use crate::abi::uncounted::owns_nothing;

/// The number of faults that a run records: later ones are mostly consequences.
const MOST_FAULTS: usize = 8;

/// Initial capacity, so that short calls allocate nothing.
const INITIAL_CAPACITY: usize = 64;

thread_local! {
    static CURRENT: RefCell<Option<Box<Ledger>>> = const { RefCell::new(None) };
    /// Ledgers for reuse, linked through `enclosing`.
    static UNUSED: RefCell<Option<Box<Ledger>>> = const { RefCell::new(None) };
    static HOLDER: Cell<Holder> = const { Cell::new(Holder::Frame) };
}

/// The ledger of one run.
pub(super) struct Ledger {
    /// The enclosing run, whose host code started this one.
    enclosing: Option<Box<Ledger>>,
    enclosing_holder: Holder,
    /// The address of the current [`Site`], which compiled code stores here.
    at: Box<AtomicUsize>,
    frames: Vec<Frame>,
    entries: Vec<LedgerEntry>,
    /// Memory that the caller lends: its address range, and whether it may be written.
    pub(super) leases: Vec<(usize, usize, bool)>,
    faults: Vec<String>,
    quarantine: Quarantine,
    pub(super) cache: Cache,
}

/// A frame of compiled code. Words before the first frame are held by host code.
struct Frame {
    /// The first of its words.
    first: usize,
    /// The site of its caller.
    from: usize,
}

struct LedgerEntry {
    word: u64,
    counted: Counted,
    /// The number of counts; 0 if the word is only lent to the frame (CHECKMODE3).
    count: usize,
    /// The site at which the frame began to hold it.
    site: usize,
}

impl Ledger {
    fn new() -> Ledger {
        Ledger {
            enclosing: None,
            enclosing_holder: Holder::Frame,
            at: Box::default(),
            frames: Vec::with_capacity(INITIAL_CAPACITY),
            entries: Vec::with_capacity(INITIAL_CAPACITY),
            leases: Vec::with_capacity(INITIAL_CAPACITY),
            faults: Vec::new(),
            quarantine: Quarantine::new(),
            cache: Cache::default(),
        }
    }

    fn site(&self) -> usize {
        self.at.load(Ordering::Relaxed)
    }

    pub(super) fn fault(&mut self, what: &str) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(format!("{}: {what}", place(self.site())));
        }
    }

    fn find(&self, word: u64) -> Option<usize> {
        let first = self.frames.last().map_or(0, |frame| frame.first);
        self.entries[first..].iter().rposition(|entry| entry.word == word).map(|at| first + at)
    }

    fn gained(&mut self, counted: Counted, word: u64) {
        self.cache.clear();
        let site = self.site();
        match self.find(word) {
            Some(at) if self.entries[at].counted != counted => {
                let (a, b) = (name(self.entries[at].counted), name(counted));
                self.fault(&format!("the block at {word:#x} is held as {a} and as {b}"));
            }
            Some(at) => self.entries[at].count += 1,
            None => self.entries.push(LedgerEntry { word, counted, count: 1, site }),
        }
    }

    fn lost(&mut self, counted: Counted, word: u64, verb: &str) -> bool {
        self.cache.clear();
        let found =
            self.find(word).filter(|at| self.entries[*at].count > 0 && self.entries[*at].counted == counted);
        let Some(at) = found else {
            let why = self.why_not(counted, word);
            self.fault(&format!("it {verb} {} at {word:#x}, {why}", name(counted)));
            return false;
        };
        if !self.is_explained(at) {
            return false;
        }
        self.entries[at].count -= 1;
        if self.entries[at].count == 0 {
            self.entries.swap_remove(at);
        }
        true
    }

    /// Checks the reference count (CHECKMODE5).
    fn is_explained(&mut self, at: usize) -> bool {
        let LedgerEntry { word, counted, count, site: created_at } = self.entries[at];
        // SAFETY: the frame holds counts of the block.
        let Some(strong) = (unsafe { strong_count(counted, word) }) else { return true };
        let words = count + shared_holders::count(word);
        if strong < words {
            self.fault(&format!(
                "{} at {word:#x}, which came from {}, has a count of {strong}, but {words} words hold it",
                name(counted),
                place(created_at)
            ));
        }
        strong >= words
    }

    fn why_not(&self, counted: Counted, word: u64) -> String {
        if let Some(by) = self.quarantine.freed_by(word) {
            return format!("which was freed by {}", place(by));
        }
        match self.entries.iter().rfind(|entry| entry.word == word) {
            Some(entry) if entry.counted != counted => format!("which is {}", name(entry.counted)),
            Some(entry) if entry.count == 0 => "which is only lent to it".into(),
            Some(_) => "which its caller holds".into(),
            None if shared_holders::count(word) > 0 => "which rows or constants hold".into(),
            None => "which it does not hold, or not any more".into(),
        }
    }

    pub(super) fn seen(&mut self, counted: Counted, word: u64) -> bool {
        let found = self.find(word);
        if found.is_some_and(|at| self.entries[at].counted == counted) {
            return true;
        }
        if found.is_none() && shared_holders::count(word) > 0 {
            return true;
        }
        let why = self.why_not(counted, word);
        self.fault(&format!("it reads {} at {word:#x}, {why}", name(counted)));
        false
    }

    fn enter(&mut self, words: impl Iterator<Item = (Counted, u64)> + Clone) {
        for (counted, word) in words.clone() {
            self.lost(counted, word, "hands over");
        }
        self.frames.push(Frame { first: self.entries.len(), from: self.site() });
        words.for_each(|(counted, word)| self.gained(counted, word));
    }

    fn leave_frame(&mut self, words: impl Iterator<Item = (Counted, u64)> + Clone) {
        for (counted, word) in words.clone() {
            self.lost(counted, word, "returns");
        }
        let Some(frame) = self.frames.last() else { return self.fault("more frames end than began") };
        self.end_from(frame.first);
        if let Some(frame) = self.frames.pop() {
            self.at.store(frame.from, Ordering::Relaxed);
        }
        words.for_each(|(counted, word)| self.gained(counted, word));
    }

    /// Ends the holder of the words from this position on, which should hold nothing.
    fn end_from(&mut self, first: usize) {
        while self.entries.len() > first {
            let Some(LedgerEntry { word, counted, count, site: created_at }) = self.entries.pop() else {
                return;
            };
            if count > 0 {
                let (what, created_at) = (name(counted), place(created_at));
                self.fault(&format!(
                    "it ends and still holds {what} at {word:#x} ({count} of its counts), which came from {created_at}"
                ));
            }
        }
    }
}

/// The site at an address, for messages.
fn place(site: usize) -> String {
    // SAFETY: sites are kept with their code (CODE2), which a run keeps until it ends.
    match unsafe { (site as *const Site).as_ref() } {
        Some(site) => site.to_string(),
        None => "the host".into(),
    }
}

fn name(counted: Counted) -> &'static str {
    match counted {
        Counted::Str => "the text",
        Counted::Composite => "the composite",
        Counted::Array => "the array",
        Counted::Closure => "the closure",
        Counted::Stack => "the stack",
        Counted::Tape => "the tape",
        Counted::Ref => "the reference",
        Counted::Opaque => "the host value",
        Counted::I128 | Counted::U128 => "the wide integer",
    }
}

/// Runs `f` with the ledger of the current run, if there is one.
pub(super) fn with<R>(f: impl FnOnce(&mut Ledger) -> R) -> Option<R> {
    CURRENT.try_with(|current| current.borrow_mut().as_deref_mut().map(f)).ok().flatten()
}

/// Records a fault of the current run, to be reported at its end; without a run, panics at once.
pub(crate) fn fault(what: &str) {
    if with(|ledger| ledger.fault(what)).is_none() {
        report(what);
    }
}

fn report(what: &str) {
    let what = format!("machine code fails its checks: {what}");
    if std::thread::panicking() { eprintln!("{what}") } else { panic!("{what}") }
}

pub(super) fn gained(counted: Counted, word: u64) {
    gained_by(HOLDER.get(), counted, word);
}

pub(super) fn gained_by(holder: Holder, counted: Counted, word: u64) {
    if !owns_nothing(counted, word) {
        match holder {
            Holder::Frame => _ = with(|ledger| ledger.gained(counted, word)),
            holder => shared_holders::gained(holder, word),
        }
    }
}

pub(super) fn lost(counted: Counted, word: u64) -> bool {
    lost_by(HOLDER.get(), counted, word)
}

pub(super) fn lost_by(holder: Holder, counted: Counted, word: u64) -> bool {
    if owns_nothing(counted, word) {
        return true;
    }
    match holder {
        Holder::Frame => with(|ledger| ledger.lost(counted, word, "gives away")).unwrap_or(true),
        holder => {
            let was_held = shared_holders::lost(holder, word);
            if !was_held {
                fault(&format!(
                    "{holder:?} give away {} at {word:#x}, which they do not hold",
                    name(counted)
                ));
            }
            was_held
        }
    }
}

pub(super) fn seen(counted: Counted, word: u64) -> bool {
    owns_nothing(counted, word) || with(|ledger| ledger.seen(counted, word)).unwrap_or(true)
}

/// Sets the current holder; returns the previous one.
pub(super) fn hold_by(holder: Holder) -> Holder {
    HOLDER.replace(holder)
}

/// Begins a frame with these words of parameters (CHECKMODE2).
pub(crate) fn enter(words: impl Iterator<Item = (Counted, u64)> + Clone) {
    with(|ledger| ledger.enter(words.filter(counts)));
}

/// Ends a frame with these words of its result (CHECKMODE2).
pub(crate) fn leave_frame(words: impl Iterator<Item = (Counted, u64)> + Clone) {
    with(|ledger| ledger.leave_frame(words.filter(counts)));
}

fn counts(&(counted, word): &(Counted, u64)) -> bool {
    !owns_nothing(counted, word)
}

/// Records that a value which keeps these words lends them to the current frame (CHECKMODE3).
pub(crate) fn lend(words: impl Iterator<Item = (Counted, u64)>) {
    with(|ledger| {
        for (counted, word) in words.filter(counts) {
            if ledger.quarantine.freed_by(word).is_some() {
                ledger.seen(counted, word);
            } else if ledger.find(word).is_none() {
                let site = ledger.site();
                ledger.entries.push(LedgerEntry { word, counted, count: 0, site });
            }
        }
    });
}

/// Records that the caller of a run lends it memory.
pub(crate) fn lease(from: usize, bytes: usize, is_written: bool) {
    if ON {
        with(|ledger| ledger.leases.push((from, from + bytes, is_written)));
    }
}

/// Moves a word from the current frame to the pool.
pub(crate) fn pooled(counted: Counted, word: u64) {
    if ON && !owns_nothing(counted, word) {
        with(|ledger| ledger.lost(counted, word, "gives to the pool"));
        shared_holders::gained(Holder::Pool, word);
    }
}

/// Moves a word from the pool to the current frame.
pub(crate) fn unpooled(counted: Counted, word: u64) {
    if ON && !owns_nothing(counted, word) {
        if !shared_holders::lost(Holder::Pool, word) {
            fault(&format!("{} at {word:#x} is taken from the pool, but is not in it", name(counted)));
        }
        gained(counted, word);
    }
}

/// Puts a freed and overwritten block into quarantine (CHECKMODE4); returns the block that leaves it.
pub(crate) fn quarantine(word: u64, block: Dead) -> Option<Dead> {
    let mut block = Some(block);
    let oldest = with(|ledger| {
        let by = ledger.site();
        block.take().and_then(|block| ledger.quarantine.add(word, block, by))
    });
    oldest.unwrap_or(block)
}

/// The ledger of a run, for its duration.
pub(crate) struct LedgerScope(());

impl LedgerScope {
    /// Begins the ledger of a run; stores the address for compiled code's current site in `at`.
    pub(crate) fn begin(at: &mut u64) -> LedgerScope {
        if ON {
            let mut ledger = UNUSED.try_with(pop).ok().flatten().unwrap_or_else(|| Box::new(Ledger::new()));
            *at = &raw const *ledger.at as usize as u64;
            ledger.enclosing_holder = HOLDER.replace(Holder::Frame);
            let _ = CURRENT.try_with(|current| push(current, ledger));
        }
        LedgerScope(())
    }
}

fn push(to: &RefCell<Option<Box<Ledger>>>, mut ledger: Box<Ledger>) {
    let mut to = to.borrow_mut();
    ledger.enclosing = to.take();
    *to = Some(ledger);
}

fn pop(from: &RefCell<Option<Box<Ledger>>>) -> Option<Box<Ledger>> {
    let mut from = from.borrow_mut();
    let mut ledger = from.take()?;
    *from = ledger.enclosing.take();
    Some(ledger)
}

impl Drop for LedgerScope {
    fn drop(&mut self) {
        if !ON {
            return;
        }
        let Some(mut ledger) = CURRENT.try_with(pop).ok().flatten() else { return };
        HOLDER.set(ledger.enclosing_holder);
        ledger.at.store(0, Ordering::Relaxed);
        if !ledger.frames.is_empty() {
            ledger.fault("the run ends, but a frame does not");
        }
        ledger.frames.clear();
        ledger.end_from(0);
        ledger.leases.clear();
        ledger.cache.clear();
        for (word, by) in ledger.quarantine.clear() {
            ledger.fault(&format!("the block at {word:#x} was written after {} freed it", place(by)));
        }
        let faults = std::mem::take(&mut ledger.faults);
        let _ = UNUSED.try_with(|unused| push(unused, ledger));
        if !faults.is_empty() {
            report(&faults.join("\n  "));
        }
    }
}
