export { createMcpHandler } from './http.ts';
export type { McpAuth, McpHandler, McpHandlerOptions } from './http.ts';
