// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A language server as a child process: requests with answers, notifications both ways. It needs nothing but Node.
"use strict";

const { spawn } = require("child_process");

class Connection {
  /** `onNotification(method, params)` hears the server, `onEnd(reason)` that it is gone. */
  constructor(command, args, onNotification, onEnd) {
    this.onNotification = onNotification;
    this.waiting = new Map();
    this.nextId = 1;
    this.received = Buffer.alloc(0);
    this.isOpen = true;
    this.process = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const end = (reason) => {
      if (!this.isOpen) return;
      this.isOpen = false;
      for (const { reject } of this.waiting.values()) reject(new Error(reason));
      this.waiting.clear();
      onEnd(reason);
    };
    this.process.on("error", (error) => end(`${command}: ${error.message}`));
    this.process.on("exit", (code) => end(`${command} ended with code ${code}`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (bytes) => this.receive(bytes));
  }

  request(method, params) {
    if (!this.isOpen) return Promise.resolve(null);
    const id = this.nextId++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  notify(method, params) {
    if (this.isOpen) this.send({ jsonrpc: "2.0", method, params });
  }

  send(message) {
    const body = Buffer.from(JSON.stringify(message), "utf8");
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  receive(bytes) {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const end = this.received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /Content-Length: (\d+)/i.exec(this.received.toString("latin1", 0, end));
      const begin = end + 4;
      const size = length ? Number(length[1]) : 0;
      if (this.received.length < begin + size) return;
      const text = this.received.toString("utf8", begin, begin + size);
      this.received = this.received.subarray(begin + size);
      if (size) this.handle(JSON.parse(text));
    }
  }

  handle(message) {
    if (message.method) {
      this.onNotification(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  async close() {
    if (!this.isOpen) return;
    await this.request("shutdown", null).catch(() => {});
    this.notify("exit", null);
    // That it goes now is no news.
    this.isOpen = false;
  }
}

module.exports = { Connection };
