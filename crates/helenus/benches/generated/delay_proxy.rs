//! A server that answers later: passes bytes on to another, and holds back what that answers.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes, and when they may be passed on.
type HeldBytes = (Instant, Vec<u8>);

/// Starts a proxy of a server whose answers are each held back for the delay, however many are under
/// way; returns its address. It lives as long as the process.
pub(crate) fn start(server: &str, delay: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = server.to_owned();
    thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            for stream in [&client, &server] {
                stream.set_nodelay(true).unwrap();
            }
            let (to_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (sender, receiver) = channel();
            thread::spawn(move || pass_on(client, to_server));
            thread::spawn(move || hold_back(server, delay, &sender));
            thread::spawn(move || release(&receiver, to_client));
        }
    });
    address
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    // The other side may have closed it already.
    let _ = to.shutdown(Shutdown::Both);
}

fn hold_back(mut from: TcpStream, delay: Duration, held: &Sender<HeldBytes>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        if held.send((Instant::now() + delay, buffer[..length].to_vec())).is_err() {
            break;
        }
    }
}

fn release(held: &Receiver<HeldBytes>, mut to: TcpStream) {
    for (at, bytes) in held {
        thread::sleep(at.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    // The other side may have closed it already.
    let _ = to.shutdown(Shutdown::Both);
}
