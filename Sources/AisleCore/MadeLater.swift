import Synchronization

/// An object that is made when it is first asked for, by several threads perhaps more than once.
///
/// Asking for it counts no references, which threads would wait for each other over.
package final class MadeLater<Object: AnyObject & Sendable>: Sendable {
  private let made = AtomicLazyReference<Object>()
  /// The object's address; 0 before it is made.
  private let address = Atomic<UInt>(0)
  private let make: @Sendable () -> Object

  package init(_ make: @escaping @Sendable () -> Object) { self.make = make }

  /// Does something with the object.
  package func with<Result>(_ body: (Object) -> Result) -> Result {
    if let known = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) {
      return Unmanaged<Object>.fromOpaque(known)._withUnsafeGuaranteedRef(body)
    }
    let object = made.load() ?? made.storeIfNil(make())
    address.store(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), ordering: .releasing)
    return body(object)
  }
}
