import {
  type Transport,
  TransportError,
  type WireRequest,
  type WireStream,
} from '@flotilla/client';
import type { WriteGate } from './write-gate.ts';

/** Leads the requests of one process through a gate, without a connection more. */
export function gatedTransport(
  transport: Transport,
  { gate, name }: { readonly gate: WriteGate; readonly name: string },
): Transport {
  const admit = ({ method, path, body = '' }: WireRequest) => {
    const fate = gate.admit(name, { method, path, body: Buffer.from(body) });
    if (fate === 'dead already') throw dead();
    if (fate === 'die before it') {
      gate.spring();
      throw dead();
    }
    return fate;
  };
  return {
    send: async (request) => {
      const fate = admit(request);
      const answer = await transport.send(request);
      if (fate === 'die after it') gate.spring();
      if (gate.isSprung) throw dead();
      return answer;
    },
    stream: async (request) => {
      admit(request);
      const stream = await transport.stream(request);
      if (!gate.isSprung) return cutBy(gate, stream);
      stream.close();
      throw dead();
    },
    upgrade: async (request) => {
      admit(request);
      return transport.upgrade(request);
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

function cutBy(gate: WriteGate, stream: WireStream): WireStream {
  const forget = gate.onSpring(() => stream.close());
  return {
    ...stream,
    close: () => {
      forget();
      stream.close();
    },
    async *[Symbol.asyncIterator]() {
      try {
        yield* stream;
      } finally {
        forget();
      }
    },
  };
}

function dead(): TransportError {
  return new TransportError('unreachable', 'Cannot say anything: the process is dead');
}
