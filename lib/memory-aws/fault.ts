/** An error as AWS names it. */
export const fault = (name: string, message: string): Error => Object.assign(new Error(message), { name })

export const invalid = (message: string): Error => fault('ValidationException', message)
