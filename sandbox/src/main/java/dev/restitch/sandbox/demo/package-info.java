/** {@code restitch demo}: everything embedded, tears made on purpose, the answers checked. */
package dev.restitch.sandbox.demo;
