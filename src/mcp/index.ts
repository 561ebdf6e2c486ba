export { createMcpHandler } from './http.ts';
export type { McpHandler, McpHandlerOptions } from './http.ts';
