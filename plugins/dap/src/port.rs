//! A port of this machine, for clients that connect instead of starting the server.

use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};

use crate::launch::Launch;
use crate::server::{ServeError, serve};

/// Source may nest deeply, and what reads it recurses: a large stack, of which only what is used is paid for.
const STACK_BYTES: usize = 1 << 30;

/// A port that only programs of this machine can connect to.
#[derive(Debug)]
pub struct Port(TcpListener);

impl Port {
    /// Opens it; with 0, one that is free.
    ///
    /// # Errors
    /// Where it is taken, or not allowed.
    pub fn open(port: u16) -> io::Result<Port> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(Port)
    }

    /// Its number.
    ///
    /// # Errors
    /// Where the system does not say.
    pub fn number(&self) -> io::Result<u16> {
        Ok(self.0.local_addr()?.port())
    }

    /// Gives each client that connects to `each`, on a thread of its own.
    ///
    /// # Errors
    /// Where no more connections can be taken.
    pub fn serve(&self, each: impl Fn(Connection) + Clone + Send + 'static) -> io::Result<()> {
        loop {
            let (stream, _) = self.0.accept()?;
            let each = each.clone();
            let thread = std::thread::Builder::new().name("dap".to_owned()).stack_size(STACK_BYTES);
            thread.spawn(move || each(Connection(stream)))?;
        }
    }
}

/// A client that has connected.
#[derive(Debug)]
pub struct Connection(TcpStream);

impl Connection {
    /// Serves it, as [`serve`](crate::serve()) does.
    ///
    /// # Errors
    /// Where what the client sends cannot be read any more.
    pub fn serve(self, launch: impl Launch) -> Result<(), ServeError> {
        let copy = || self.0.try_clone().map_err(|error| ServeError::Wire(error.into()));
        // Each message is written whole.
        drop(self.0.set_nodelay(true));
        let served = serve(copy()?, copy()?, launch);
        // The thread that reads ends.
        drop(self.0.shutdown(Shutdown::Both));
        served
    }
}
