const OLD = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"

/** Arguments under which a Node takes itself for one that is too old for us. Those it starts do not. */
export const OLD_NODE = [`--import=data:text/javascript,${OLD}`]
