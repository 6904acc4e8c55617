package io.callboard.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** WebSocket client that reads nothing but what it is told to, and answers no ping. */
final class RawSocket implements AutoCloseable {
  private static final int TEXT = 0x81;
  private static final int MASKED = 0x80;
  private static final int PATIENCE_MS = 60_000;

  private final Socket socket = new Socket();
  private final String response;

  /** Connects, and reads the head of the answer to the upgrade. */
  RawSocket(int port, String... headers) {
    try {
      socket.setReceiveBufferSize(4_096);
      socket.setSoTimeout(PATIENCE_MS);
      socket.connect(new InetSocketAddress("127.0.0.1", port));
      StringBuilder request = new StringBuilder("GET /ws HTTP/1.1\r\n");
      request.append("Host: 127.0.0.1:").append(port).append("\r\n");
      request.append("Upgrade: websocket\r\nConnection: Upgrade\r\n");
      request.append("Sec-WebSocket-Version: 13\r\n");
      request.append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
      request.append("Sec-WebSocket-Protocol: callboard.v1+json\r\n");
      for (String header : headers) {
        request.append(header).append("\r\n");
      }
      write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          throw new IOException("the node has closed the connection after " + head);
        }
        head.append((char) next);
      }
      response = head.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the head of the answer. */
  String response() {
    return response;
  }

  /** Sends a text of up to 125 bytes. */
  void send(String text) {
    send(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a frame of up to 125 bytes that begins with that byte. */
  void send(int head, byte[] bytes) {
    byte[] frame = new byte[6 + bytes.length];
    frame[0] = (byte) head;
    frame[1] = (byte) (MASKED | bytes.length); // the mask is zero
    System.arraycopy(bytes, 0, frame, 6, bytes.length);
    write(frame);
  }

  private void write(byte[] bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until the node closes the connection; returns the number of bytes. */
  long readToEnd() {
    byte[] buffer = new byte[64 << 10];
    long all = 0;
    try {
      InputStream in = socket.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        all += read;
      }
      return all;
    } catch (SocketException e) {
      return all; // reset: what was sent to the node after its end
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the connection without the close of a WebSocket, as the death of its process does. */
  void cut() {
    if (socket.isClosed()) {
      return;
    }
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    cut();
  }
}
