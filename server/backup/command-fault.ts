/** A fault that the operator can correct; its message is shown without a stack. */
export class CommandFault extends Error {}
