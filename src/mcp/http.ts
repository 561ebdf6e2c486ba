/** The same server for a mount of HTTP: one request, one answer, and nothing remembered between them. */
import { defined } from '../core/base/defined.ts';
import { createMcpHandler as handlerOf } from '@modelcontextprotocol/server';
import type { Staffetta } from '../library/staffetta.ts';
import type { Actor } from '../core/task/actor.ts';
import { assert } from '../core/base/assert.ts';
import { CalledOff } from './long-wait.ts';
import { workPlaceOf } from './place.ts';
import { serverFor } from './server.ts';
import { Legs } from './visit.ts';

/** What a token said to the host that checked it. */
export interface McpAuth {
  token: string;
  clientId: string;
  scopes: string[];
  /** In seconds since 1970. */
  expiresAt?: number;
  resource?: URL;
  extra?: Record<string, unknown>;
}

export interface McpHandlerOptions {
  readonly staffetta: Staffetta;
  /**
   * Who makes a request: from its token, say, which the host has checked. Nobody is believed by what the request says of
   * itself. What it throws ends the call.
   */
  readonly actorOf: (request: Request, auth: McpAuth | undefined) => Actor;
  /** Where files may be named by path; by default nowhere, since callers may be elsewhere. */
  readonly folder?: string;
  readonly requestBytesMax?: number;
  /** Hears of what went wrong beside the answers. */
  readonly onError?: (error: Error) => void;
}

export type McpHandler = (request: Request, given?: { readonly auth?: McpAuth }) => Promise<Response>;

/** For 2025-era clients and later ones. The mount checks Host, Origin and token first; a leg is named by its generation in each call. */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const { staffetta, actorOf, folder = null, requestBytesMax, onError } = options;
  const place = workPlaceOf(staffetta.context, folder);
  const calledOff = new CalledOff();
  const { fetch } = handlerOf(
    ({ requestInfo, authInfo }) => {
      assert(requestInfo !== undefined, 'a request over HTTP comes with its request');
      return serverFor({
        place,
        env: {},
        legs: new Legs(),
        calledOff,
        who: () => actorOf(requestInfo, authInfo),
      });
    },
    {
      ...defined({ maxRequestBodySize: requestBytesMax, onerror: onError }),
    },
  );
  return async (request, { auth } = {}) => await fetch(request, auth === undefined ? {} : { authInfo: auth });
}
