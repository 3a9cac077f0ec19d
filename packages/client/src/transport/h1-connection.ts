import type { Socket } from 'node:net';
import { TransportError } from '../transport-error.ts';
import { type AnswerHead, MalformedAnswer } from './answer-head.ts';
import { AnswerParser, type AnswerSink } from './answer-parser.ts';
import type { Identity } from './identity.ts';
import { stateOf } from './socket-fault.ts';
import { isTlsFault, tlsFault } from './tls-fault.ts';

/** A request as it goes over the wire. */
export interface H1Message {
  /** Request line and headers with the empty line, as Latin-1 characters. */
  readonly head: string;
  readonly body: Buffer | string | undefined;
  readonly isHeadRequest: boolean;
  readonly isUpgrade: boolean;
  /** `get "https://…/api"`, for texts. */
  readonly what: string;
}

/** Hears how an exchange goes; after onEnd or onFail it hears nothing. */
export interface ExchangeSink {
  readonly onHead: (head: AnswerHead) => void;
  readonly onBody: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  readonly onFail: (error: TransportError) => void;
}

/** What a connection knows of where it belongs. */
export interface H1Home {
  readonly url: string;
  readonly isSecure: boolean;
  readonly headBytes: number;
  readonly now: () => number;
  /** The connection is done with an exchange and may have another. */
  readonly onFree: (connection: H1Connection) => void;
  readonly onGone: (connection: H1Connection) => void;
}

const BROKEN_MESSAGE = 'the server closed the connection';

/** One HTTP/1.1 connection, one exchange at a time. */
export class H1Connection {
  readonly socket: Socket;
  readonly identity: Identity;
  /** It has carried an exchange before, so that its server may have closed it since. */
  isReused = false;
  /** A byte of the answer under way has come. */
  hasAnswered = false;
  idleSince = 0;
  readonly #home: H1Home;
  /** What the exchange under way does, for texts: its message itself is not kept while the server thinks. */
  #what = '';
  #isUpgrade = false;
  #sink: ExchangeSink | undefined;
  #parser: AnswerParser | undefined;
  #error: unknown;
  #isEnded = false;

  constructor(socket: Socket, identity: Identity, home: H1Home) {
    this.socket = socket;
    this.identity = identity;
    this.#home = home;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isUsable(): boolean {
    return !this.#isEnded && !this.socket.destroyed && this.socket.writable;
  }

  /** Sends a request; the sink hears the answer. */
  begin(message: H1Message, sink: ExchangeSink): void {
    const { socket } = this;
    this.#what = message.what;
    this.#isUpgrade = message.isUpgrade;
    this.#sink = sink;
    this.hasAnswered = false;
    this.#parser = new AnswerParser({
      sink: this.#heard,
      isHeadRequest: message.isHeadRequest,
      isUpgrade: message.isUpgrade,
      headBytes: this.#home.headBytes,
    });
    // Its end may have come and gone before anybody listened.
    if (socket.closed) queueMicrotask(this.#onClose);
    if (message.body === undefined || message.body.length === 0) {
      socket.write(message.head, 'latin1');
      return;
    }
    socket.cork();
    socket.write(message.head, 'latin1');
    socket.write(message.body);
    socket.uncork();
  }

  /** Ends the exchange under way without a word to its sink. */
  destroy(): void {
    this.#forget();
    this.socket.destroy();
  }

  /** Gives the socket away, with the bytes after the answer. */
  detach(): { socket: Socket; rest: Buffer } {
    const { socket } = this;
    const rest = this.#parser?.rest ?? Buffer.alloc(0);
    this.#forget();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    // What comes before somebody listens must wait, and then flow by itself: as node:http hands over its sockets.
    socket.pause();
    Object.assign(socket, { readableFlowing: null });
    return { socket, rest };
  }

  readonly #onData = (chunk: Buffer): void => {
    const parser = this.#parser;
    if (parser === undefined) {
      // Nobody asked: the server says that it gives up on us, or it is confused.
      this.socket.destroy();
      return;
    }
    this.hasAnswered = true;
    const wasDone = parser.isDone;
    try {
      parser.feed(chunk);
    } catch (error) {
      this.#fail(this.#malformed(error));
      return;
    }
    if (parser.isDone && parser === this.#parser && !wasDone) this.#finish(parser);
  };

  /** One for all exchanges: whoever waits for an answer should hold little. */
  readonly #heard: AnswerSink = {
    onHead: (head) => this.#sink?.onHead(head),
    onBody: (chunk) => this.#sink?.onBody(chunk),
    onEnd: nothing,
  };

  #finish(parser: AnswerParser): void {
    const sink = this.#sink;
    // An upgraded socket is detached by whoever hears of its end.
    if (this.#isUpgrade && sink !== undefined) {
      this.socket.pause();
      sink.onEnd();
      return;
    }
    const mayStay = parser.isReusable && this.isUsable && this.socket.writableLength === 0;
    this.#forget();
    if (mayStay) {
      this.isReused = true;
      // A reader who was behind may have stopped it.
      if (this.socket.isPaused()) this.socket.resume();
      this.#home.onFree(this);
    } else this.socket.destroy();
    sink?.onEnd();
  }

  readonly #onEnd = (): void => {
    this.#isEnded = true;
    const parser = this.#parser;
    try {
      parser?.close();
    } catch {
      // The close that follows tells, and need not wait for what we still wanted to send.
      this.socket.destroy();
      return;
    }
    if (parser === undefined) this.socket.destroy();
    else this.#finish(parser);
  };

  readonly #onError = (error: unknown): void => {
    this.#error ??= error;
    this.socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#isEnded = true;
    this.#home.onGone(this);
    if (this.#sink !== undefined) this.#fail(this.#broken());
  };

  #fail(error: TransportError): void {
    const sink = this.#sink;
    this.#forget();
    this.socket.destroy();
    sink?.onFail(error);
  }

  #forget(): void {
    this.#sink = undefined;
    this.#parser = undefined;
    this.#isUpgrade = false;
  }

  #malformed(error: unknown): TransportError {
    const isTls = error instanceof MalformedAnswer && !this.#home.isSecure && this.hasAnswered;
    const state = error instanceof MalformedAnswer ? error.message : 'it cannot be read';
    return new TransportError(
      'malformed',
      `Cannot ${this.#what}: the answer is malformed, ${state}${isTls ? ' (does the server speak HTTPS?)' : ''}`,
      { cause: error },
    );
  }

  #broken(): TransportError {
    const error = this.#error ?? this.socket.errored ?? undefined;
    if (error !== undefined && isTlsFault(error)) {
      // In TLS 1.3 the server's word on our certificate comes when we already believe in the connection.
      return tlsFault(error, {
        url: this.#home.url,
        name: '',
        hasClientCertificate: this.identity.certificate !== undefined,
        now: this.#home.now(),
      });
    }
    const cause = error === undefined ? '' : ` (${stateOf(error)})`;
    const when = this.hasAnswered ? 'in the middle of its answer' : 'before it answered';
    return new TransportError('closed', `Cannot ${this.#what}: ${BROKEN_MESSAGE} ${when}${cause}`, {
      cause: error,
    });
  }
}

function nothing(): void {}
