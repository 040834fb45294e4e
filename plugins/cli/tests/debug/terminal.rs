//! The terminal interface of the debugger, driven through a pseudo-terminal like a user at a keyboard.

#![cfg(unix)]

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The command on a terminal.
struct Terminal {
    keys: File,
    screen: Receiver<Vec<u8>>,
    /// Output that was read but not yet waited for.
    seen: String,
    child: Child,
}

impl Terminal {
    /// `overdub debug` of a function of `tests/programs/sums.rs`.
    fn debug(function: &str, args: &str) -> Terminal {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are pseudo-terminals");
        grantpt(&controller).and_then(|()| unlockpt(&controller)).expect("it can be opened");
        let name = ptsname(&controller, Vec::new()).expect("it has a name").into_string().expect("in UTF-8");
        let end = || Stdio::from(OpenOptions::new().read(true).write(true).open(&name).expect("it opens"));
        let program = format!("{}/tests/programs/sums.rs", env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_overdub"));
        command.args(["debug", &program, function, args]).env("TERM", "xterm").env_remove("NO_COLOR");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("it starts");
        drop(command);
        let keys = File::from(controller);
        let mut reader = keys.try_clone().expect("it can be read and written");
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading ends with an error when the other end is closed.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut terminal = Terminal { keys, screen, seen: String::new(), child };
        terminal.until("(overdub) ");
        terminal
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits for a text; returns the output up to it, without cursor movements and colours.
    fn until(&mut self, wanted: &str) -> String {
        let shown = self.until_within(wanted, Duration::from_secs(60));
        shown.unwrap_or_else(|| panic!("`{wanted}` is not shown, but: {}", without_escapes(&self.seen)))
    }

    fn until_within(&mut self, wanted: &str, limit: Duration) -> Option<String> {
        let end = Instant::now() + limit;
        loop {
            let plain = without_escapes(&self.seen);
            if let Some(at) = plain.find(wanted) {
                let at = at + wanted.len();
                self.seen = plain[at..].to_owned();
                return Some(plain[..at].to_owned());
            }
            let left = end.saturating_duration_since(Instant::now());
            self.seen.push_str(&String::from_utf8_lossy(&self.screen.recv_timeout(left).ok()?));
        }
    }

    /// Types a line; returns the output for it.
    fn line(&mut self, line: &str) -> String {
        self.press(&format!("{line}\r"));
        self.until("\n");
        self.until("(overdub) ")
    }

    fn status(&mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The process has ended unless the test failed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A text without control sequences; an incomplete one is kept.
fn without_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        out.push_str(before);
        let sequence = after.strip_prefix('[').unwrap_or(after);
        match sequence.find(|c: char| c.is_ascii_alphabetic()) {
            Some(end) => rest = &sequence[end + 1..],
            None => return out + &rest[before.len()..],
        }
    }
    out + rest
}

#[test]
fn a_session_shows_the_source_and_the_variables_where_it_stops() {
    let mut terminal = Terminal::debug("sum", "[3]");
    assert!(terminal.line("break sums.rs:16 if i == 1").contains("breakpoint 1"));
    let stopped = terminal.line("run");
    assert!(stopped.contains("→   16 "), "{stopped}");
    assert!(stopped.contains("i = 1") && stopped.contains("xs = [0.0, 0.0, 0.0]"), "{stopped}");
    let printed = terminal.line("print s + 1.0");
    assert!(printed.contains("1.0"), "{printed}");
    let stepped = terminal.line("next");
    // An empty line repeats the last command.
    let again = terminal.line("");
    assert!(stepped.contains("(step)") && again.contains("(step)"), "{stopped}{stepped}{again}");
    assert!(terminal.line("back").contains("(step)"));
    assert!(terminal.line("prnt s").contains("there is no command `prnt`"));
    assert!(terminal.line("delete 1").is_ascii());
    assert!(terminal.line("continue").contains("exited: "));
    terminal.press("quit\r");
    assert_eq!(terminal.status(), Some(0));
}

#[test]
fn tab_completes_commands_functions_and_variables() {
    let mut terminal = Terminal::debug("sum", "[3]");
    terminal.press("tbr\t no\t\r");
    let echoed = terminal.until("0 hits");
    assert!(echoed.contains("tbreak") && echoed.contains("function norm"), "{echoed}");
    terminal.until("(overdub) ");
    let shown = terminal.line("help tbreak");
    assert!(shown.contains("stop there once"), "{shown}");
    // Ctrl-D ends the session.
    terminal.press("\x04");
    assert_eq!(terminal.status(), Some(0));
}

#[test]
fn ctrl_c_pauses_a_run_that_does_not_end() {
    let mut terminal = Terminal::debug("spin", "[1]");
    terminal.press("run\r");
    terminal.until("\n");
    // A signal that comes before the run has begun is lost.
    let paused = (0..100).find_map(|_| {
        kill_process(Pid::from_child(&terminal.child), Signal::INT).expect("it is there");
        terminal.until_within("(overdub) ", Duration::from_millis(500))
    });
    let paused = paused.expect("it pauses");
    assert!(paused.contains("(pause)") && paused.contains("→"), "{paused}");
    assert!(terminal.line("abort").contains("aborted"));
    terminal.press("quit\r");
    assert_eq!(terminal.status(), Some(0));
}
