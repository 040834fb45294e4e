//! A port of this machine, for clients that connect instead of starting the server.

use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};

use crate::launch::Launch;
use crate::server::{ServeError, serve};

/// Source may be deeply nested, and its parser recurses: a large stack, of which only the used part takes
/// memory.
const STACK_BYTES: usize = 1 << 30;

/// A port to which only programs on this machine can connect.
#[derive(Debug)]
pub struct Port(TcpListener);

impl Port {
    /// Opens the port; 0 selects a free one.
    ///
    /// # Errors
    /// If the port is in use, or not allowed.
    pub fn open(port: u16) -> io::Result<Port> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map(Port)
    }

    /// The number of the port.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn number(&self) -> io::Result<u16> {
        Ok(self.0.local_addr()?.port())
    }

    /// Passes each client that connects to `each`, on a separate thread.
    ///
    /// # Errors
    /// If no more connections can be accepted.
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
    /// Serves the client, as [`serve`](crate::serve()) does.
    ///
    /// # Errors
    /// If the client's messages can no longer be parsed.
    pub fn serve(self, launch: impl Launch) -> Result<(), ServeError> {
        let copy = || self.0.try_clone().map_err(|error| ServeError::Wire(error.into()));
        // Each message is written at once, so there is nothing to coalesce.
        drop(self.0.set_nodelay(true));
        let served = serve(copy()?, copy()?, launch);
        // This ends the thread that reads.
        drop(self.0.shutdown(Shutdown::Both));
        served
    }
}
