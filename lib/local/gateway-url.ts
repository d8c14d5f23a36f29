/** API Gateway is only ever called by https, so that is what the functions believe, and what a sender has to sign. */
export const gatewayUrl = (url: string): string => url.replace(/^http:/, 'https:')
