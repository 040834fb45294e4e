//! What operations and host functions may ask of the interpreter.

use std::io::Write;

use super::Output;
use super::machine::{Machine, not_a};
use crate::Symbol;
use crate::failure::Failure;
use crate::limits::Limit;
use crate::ops;
use crate::value::{self, Value};

/// If less than this is left of the native stack, a new segment of this size is allocated.
const STACK_LEFT: usize = 256 << 10;
const STACK_PIECE: usize = 4 << 20;

impl<'a> ops::Machine<'a> for Machine<'_, '_, 'a> {
    fn call(&mut self, callee: &Value<'a>, mut args: Vec<Value<'a>>) -> Result<Value<'a>, Failure> {
        let Value::Closure(closure) = callee else {
            return Err(not_a("function", callee));
        };
        if let Some(replay) = &mut self.call_replay {
            return replay.next_result(callee, args);
        }
        if self.reentries >= self.grant.callbacks.left {
            return Err(Failure::of_limit(Limit::Callbacks(self.grant.callbacks.limit)));
        }
        args.splice(0..0, closure.captures.iter().cloned());
        self.reentries += 1;
        let result = stacker::maybe_grow(STACK_LEFT, STACK_PIECE, || match &closure.code {
            value::Code::Func(name) => {
                let floor = self.frames.len();
                let entered = self.interp.code(*name).and_then(|code| self.push(code, args, None));
                entered.and_then(|()| self.run_above(floor))
            }
            value::Code::Host(host) => self.call_host(host.as_ref(), &mut args),
        });
        self.reentries -= 1;
        result
    }

    fn host(&self, name: Symbol) -> Option<Box<dyn value::HostFn>> {
        self.interp.module.host(name)
    }

    fn globals(&mut self) -> Option<&mut ops::Globals> {
        Some(&mut self.globals)
    }

    fn print(&mut self, text: &str) {
        if !self.was_printed() {
            write_to(&mut self.interp.output, std::io::stdout(), text);
        }
    }

    fn eprint(&mut self, text: &str) {
        if !self.was_printed() {
            write_to(&mut self.interp.errors, std::io::stderr(), text);
        }
    }

    fn check(&mut self) -> Result<(), Failure> {
        self.grant.check()
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Failure> {
        if self.meter.is_on() && self.meter.add(bytes) { self.measure(bytes) } else { Ok(()) }
    }
}

/// Writes to the output of a run; `process` is the stream of the process that it replaces.
fn write_to(output: &mut Output, mut process: impl Write, text: &str) {
    match output {
        // If a pipe is closed by its reader, the program continues as if it had printed.
        Output::Stdout => drop(process.write_all(text.as_bytes())),
        Output::Discard => {}
        Output::To(sink) => sink(text),
    }
}
